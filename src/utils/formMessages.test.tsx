import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button, Form, Input, InputNumber } from 'antd';
import { DocumentLanguage } from '@/layouts/DocumentLanguage';
import { renderFrame } from '@/testing/renderFrame';

const rules = {
  Required: { required: true },
  Short: { max: 3 },
  Long: { min: 3 },
  Between: { min: 3, max: 5 },
  Number: { type: 'number', min: 1, max: 9 },
  Pattern: { pattern: /^\d+$/ },
} as const;
const values = { Short: 'abcd', Long: 'a', Between: 'a', Number: 10, Pattern: 'abc' };

async function submitForm(language: string) {
  window.localStorage.setItem('umi_locale', language);
  renderFrame(
    <DocumentLanguage>
      <Form initialValues={values}>
        {Object.entries(rules).map(([name, rule]) => (
          <Form.Item key={name} name={name} label={name} rules={[rule]}>
            {name === 'Number' ? <InputNumber /> : <Input />}
          </Form.Item>
        ))}
        <Button htmlType="submit">Send</Button>
      </Form>
    </DocumentLanguage>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
}

describe('a form without words of its own', () => {
  it.each([
    [
      'en-US',
      [
        'Please enter Required',
        'Short must have at most 3 characters',
        'Long must have at least 3 characters',
        'Between must have 3 to 5 characters',
        'Number must be between 1 and 9',
        'Pattern does not have the expected form',
      ],
    ],
    [
      'zh-CN',
      [
        '请输入Required',
        'Short最多 3 个字符',
        'Long至少 3 个字符',
        'Between须为 3 至 5 个字符',
        'Number须在 1 至 9 之间',
        'Pattern格式不正确',
      ],
    ],
  ])('says in %s what each field lacks, by its label', async (language, messages) => {
    await submitForm(language);

    for (const words of messages) expect(await screen.findByText(words)).toBeInTheDocument();
  });
});
