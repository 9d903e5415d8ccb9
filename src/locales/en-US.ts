import access from './en-US/access';
import accountSettings from './en-US/accountSettings';
import balance from './en-US/balance';
import common from './en-US/common';
import error from './en-US/error';
import form from './en-US/form';
import login from './en-US/login';
import menu from './en-US/menu';
import pieces from './en-US/pieces';
import workshop from './en-US/workshop';

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
