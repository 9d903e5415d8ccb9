import access from './zh-CN/access';
import accountSettings from './zh-CN/accountSettings';
import balance from './zh-CN/balance';
import common from './zh-CN/common';
import error from './zh-CN/error';
import form from './zh-CN/form';
import login from './zh-CN/login';
import menu from './zh-CN/menu';
import pieces from './zh-CN/pieces';
import workshop from './zh-CN/workshop';

export default {
  ...access,
  ...accountSettings,
  ...balance,
  ...common,
  ...error,
  ...form,
  ...login,
  ...menu,
  ...pieces,
  ...workshop,
};
