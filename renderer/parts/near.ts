import { type RefObject, useEffect, useState } from 'react';

/** Px from the window at which something is near: it is there before anybody scrolls to it. */
const NEAR_PX = 300;

/** Whether an element is, or was, near the window. What is costly and further down can wait: nobody sees it come. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        setNear(true);
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
