// Entry of the worker's bundle.
import createTunefit from 'virtual:tunefit/glue';
import { serve } from './server';

serve(globalThis, createTunefit);
