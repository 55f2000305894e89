// Starts the page.
import { App } from './app/app';
import './styles/index.css';

const root = document.getElementById('app');
if (root) new App(root, root.dataset['saved'] ?? '').start();
