package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// cache keeps what was found, so that a run that was stopped goes on where it was, and a change asks again only what it
// touches. It lies outside the tree.
type cache struct {
	file string
	mu   sync.Mutex
	// old is what the file held, fresh what this run asked for.
	old, fresh map[string]cached
}

// cached is the outcome of one test package for one mutant.
type cached struct {
	Outcome outcome
	By      string `json:",omitempty"`
}

// cacheFile is where the results of this user are kept.
func cacheFile() (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache: %w", err)
	}
	return filepath.Join(folder, "cluster-etcd-operator", "mutants.json"), nil
}

// openCache reads a cache; a file that cannot be read as one is started anew.
func openCache(file string) (*cache, error) {
	c := &cache{file: file, old: map[string]cached{}, fresh: map[string]cached{}}
	text, err := os.ReadFile(c.file)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the cache: %w", err)
	}
	if json.Unmarshal(text, &c.old) != nil {
		c.old = map[string]cached{}
	}
	return c, nil
}

func (c *cache) get(key string) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.fresh[key]
	if !ok {
		found, ok = c.old[key]
	}
	if ok {
		c.fresh[key] = found
	}
	return found, ok
}

func (c *cache) put(key string, value cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fresh[key] = value
}

// save writes what was asked for in this run, and with keepOld what was there before.
func (c *cache) save(keepOld bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]cached{}
	if keepOld {
		for key, value := range c.old {
			all[key] = value
		}
	}
	for key, value := range c.fresh {
		all[key] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	if err := os.WriteFile(c.file+".new", text, 0o644); err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	if err := os.Rename(c.file+".new", c.file); err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	return nil
}
