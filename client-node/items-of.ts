/** The items of a list, by their places: a program can change what its lists are iterated with. */
export const itemsOf = <T>(list: readonly T[]): T[] => {
  const items: T[] = [];
  for (let at = 0; at < list.length; at++) items[at] = list[at] as T;
  return items;
};
