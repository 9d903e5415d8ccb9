import type source from '../en-US/workshopLife';

const words: Record<keyof typeof source, string> = {
  'workshop.stop.title': '停止“{name}”？',
  'workshop.stop.text': '其中仍在运行的程序会结束，终端会关闭。个人目录中的文件全部保留，计费随之停止。',
  'workshop.stop.cost': '本次运行至今：{duration}，{cost} DCU。',
  'workshop.stop.lost': '工坊目前失联。本次运行以最后一次观测到的时刻结束，之后不计费。',
  'workshop.stop.keep': '继续运行',
  'workshop.delete.title': '删除“{name}”？',
  'workshop.delete.text': '它的个人目录及其中所有文件将被永久删除。账单和余额变动记录会保留。',
  'workshop.delete.confirm': '删除工坊',
  'workshop.delete.keep': '保留',
  'workshop.change.title': '更改“{name}”',

  'life.warning.in': '距自动停止',
  'life.warning.IDLE': '上次使用：{since}。',
  'life.warning.BALANCE': '届时余额用完。文件会保留。',
  'life.warning.MAX_HOURS': '届时到达您设定的最长时长。文件会保留。',
  'life.warning.LEVEL_MAX_HOURS': '届时到达等级的时长上限。文件会保留，之后可再次启动。',
  'life.way.topUp': '充值',
  'life.way.packages': '查看套餐',

  'life.extend.title': '延长“{name}”的运行时间',
  'life.extend.now': '将于 {moment} 停止：{cause}。',
  'life.extend.idleSince': '上次使用：{since}。连续 {minutes} 分钟未使用即停止。',
  'life.extend.inUse': '正在使用。连续 {minutes} 分钟未使用即停止。',
  'life.extend.balance': '停止的原因是余额，增加时长没有用。',
  'life.extend.level': '无法再增加时长：等级限制了单次运行的时长。更高的套餐可运行更久；停止后也可立即再次启动。',
  'life.extend.hours': '增加时长',
  'life.extend.most': '还可增加 {hours} 小时。',
  'life.extend.cost': '{hours} 小时费用 {cost} DCU。',
  'life.extend.later': '届时将于 {moment} 停止。',
  'life.extend.add': '增加 {hours} 小时',

  'life.force.title': '立即停止“{name}”？',
  'life.force.lost': '程序没有收尾的时间：尚未写入文件的内容会丢失，正在写入的文件可能不完整。',
  'life.force.kept': '个人目录中已有的文件全部保留，计费随之停止。',
  'life.force.wait': '等它自行停止',

  'life.stopAll.title': '停止所有工坊？',
  'life.stopAll.which': '将要停止的工坊',
  'life.stopAll.confirm': '停止 {count} 个工坊',
  'life.stopAll.none': '已没有运行中的工坊。',
  'life.stopAll.done': '{count, plural, =0 {没有运行中的工坊} other {正在停止 # 个工坊}}',
};

export default words;
