import error from './en-US/error';
import menu from './en-US/menu';
import workshop from './en-US/workshop';

export default { ...error, ...menu, ...workshop };
