import { SearchOutlined } from '@ant-design/icons';
import { useDebounceFn } from 'ahooks';
import { Input } from 'antd';
import { useEffect, useRef, useState } from 'react';

interface SearchFieldProps {
  label: string;
  /** What the URL asks for. */
  keyword: string;
  onSearch: (keyword: string) => void;
  className?: string;
}

const TYPING_MS = 300;

/** A search that stands in the URL: asked for when typing rests, and following Back and “Clear filters”. */
export function SearchField({ label, keyword, onSearch, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(keyword);
  const written = useRef(keyword);
  const search = (words: string) => {
    written.current = words;
    onSearch(words);
  };
  const { run, flush, cancel } = useDebounceFn(search, { wait: TYPING_MS });
  // Changed elsewhere: the field follows the URL. What came from here it leaves as it was typed.
  useEffect(() => {
    if (keyword === written.current) return;
    written.current = keyword;
    cancel();
    setTyped(keyword);
  }, [keyword, cancel]);
  return (
    <Input
      type="search"
      {...(className ? { className } : {})}
      prefix={<SearchOutlined aria-hidden />}
      placeholder={label}
      aria-label={label}
      maxLength={40}
      allowClear
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        run(target.value.trim());
      }}
      onPressEnter={flush}
    />
  );
}
