// The request a fresh page shows. A link holds only what differs from it.
import type { Request } from '../contract';

export const startingRequest: Request = {
  schema: 'tunefit.request/1',
  model: 'meta-llama/Llama-3.1-8B',
  recipe: {
    framework: 'trl',
    method: 'qlora',
    per_device_train_batch_size: 1,
    sequence_length: 2048,
  },
  placement: { accelerator: 'nvidia-rtx-4090' },
};
