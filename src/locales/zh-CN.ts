import error from './zh-CN/error';
import menu from './zh-CN/menu';
import workshop from './zh-CN/workshop';

export default { ...error, ...menu, ...workshop };
