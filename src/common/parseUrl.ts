export { parseUrl } from '../shared/parseUrl';
