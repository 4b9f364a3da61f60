package explain

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// World is a cluster in the state that a world.txt describes.
type World struct {
	Snapshot snapshot.Snapshot
	// Files are the must-gather of it.
	Files map[string]string
}

// onHosts are the verbs that take hosts. The world before the first line is that of snapshottest.New: hosts a, b and c.
var onHosts = map[string]func(...snapshottest.Host) snapshottest.Edit{
	"voter":        snapshottest.Voter,
	"learner":      snapshottest.Learner,
	"waiting":      snapshottest.Waiting,
	"new-node":     snapshottest.NewNode,
	"new-machine":  snapshottest.NewMachine,
	"deleting":     snapshottest.Deleting,
	"released":     snapshottest.Released,
	"member-gone":  snapshottest.MemberGone,
	"guard-gone":   snapshottest.GuardGone,
	"cordoned":     snapshottest.Cordoned,
	"unhealthy":    each(func(h snapshottest.Host) snapshottest.Edit { return snapshottest.Unhealthy(h, 0) }),
	"host-dead":    each(func(h snapshottest.Host) snapshottest.Edit { return snapshottest.HostDead(h, 0) }),
	"node-gone":    each(snapshottest.NodeGone),
	"machine-gone": each(snapshottest.MachineGone),
	"orphaned":     each(func(h snapshottest.Host) snapshottest.Edit { return snapshottest.Orphaned(h, 0) }),
	"never-was":    each(neverWas),
}

func each(edit func(snapshottest.Host) snapshottest.Edit) func(...snapshottest.Host) snapshottest.Edit {
	return func(hosts ...snapshottest.Host) snapshottest.Edit {
		return func(w *snapshottest.World) {
			for _, h := range hosts {
				edit(h)(w)
			}
		}
	}
}

// neverWas takes a host away with all that belongs to it.
func neverWas(h snapshottest.Host) snapshottest.Edit {
	return func(w *snapshottest.World) {
		snapshottest.MemberGone(h)(w)
		snapshottest.MachineGone(h)(w)
		w.Guards = slices.DeleteFunc(w.Guards, func(g snapshot.Guard) bool { return g.Node == h.Node() })
		w.NodeStatuses = slices.DeleteFunc(w.NodeStatuses, func(s snapshot.NodeStatus) bool { return s.Node == h.Node() })
		w.APIServerNodes = slices.DeleteFunc(w.APIServerNodes, func(s snapshot.APIServerNode) bool { return s.Node == h.Node() })
		w.Nodes = slices.DeleteFunc(w.Nodes, func(n snapshot.Node) bool { return n.Name == h.Node() })
	}
}

// Parse reads a description, one verb a line:
//
//	VERB HOST...                      see onHosts
//	desired N
//	no-machine-api
//	deleting-since HOST TIME
//	set THING HOST FIELD JSON         THING: member, machine, node, pod, guard, status, server
//	set facts FIELD JSON              a field of snapshot.Snapshot
//	remove FILE                       the file whose path ends so
//	replace FILE OLD NEW              in the file whose path ends so; an underscore is a space, \n a new line
//	rename OLD NEW                    in all files and their names, whole words only
//
// Lines that start with # say why.
func Parse(text string) (World, error) {
	var (
		edits     []snapshottest.Edit
		fileEdits []func(map[string]string) error
	)
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		edit, fileEdit, err := parseLine(words)
		if err != nil {
			return World{}, fmt.Errorf("line %d: %w", i+1, err)
		}
		if edit != nil {
			edits = append(edits, edit)
		}
		if fileEdit != nil {
			fileEdits = append(fileEdits, fileEdit)
		}
	}
	w := World{Snapshot: snapshottest.New(edits...)}
	w.Files = mustgathertest.Files(&w.Snapshot)
	for _, edit := range fileEdits {
		if err := edit(w.Files); err != nil {
			return World{}, err
		}
	}
	return w, nil
}

func parseLine(words []string) (snapshottest.Edit, func(map[string]string) error, error) {
	verb, arguments := words[0], words[1:]
	if edit, ok := onHosts[verb]; ok && len(arguments) > 0 {
		hosts := make([]snapshottest.Host, len(arguments))
		for i, a := range arguments {
			hosts[i] = snapshottest.Host(a)
		}
		return edit(hosts...), nil, nil
	}
	switch {
	case verb == "desired" && len(arguments) == 1:
		n, err := strconv.Atoi(arguments[0])
		return snapshottest.Desired(n), nil, err
	case verb == "no-machine-api":
		return snapshottest.NoMachineAPI(), nil, nil
	case verb == "deleting-since" && len(arguments) == 2:
		at, err := time.Parse(time.RFC3339, arguments[1])
		return snapshottest.DeletingSince(snapshottest.Host(arguments[0]), at), nil, err
	case verb == "set" && len(arguments) > 2 && arguments[0] == "facts":
		value := strings.Join(arguments[2:], " ")
		return func(w *snapshottest.World) { set(&w.Snapshot, arguments[1], value) }, nil, nil
	case verb == "set" && len(arguments) > 3:
		host, field, value := snapshottest.Host(arguments[1]), arguments[2], strings.Join(arguments[3:], " ")
		return func(w *snapshottest.World) { set(thing(w, arguments[0], host), field, value) }, nil, nil
	case verb == "remove" && len(arguments) == 1:
		return nil, func(files map[string]string) error {
			name, err := file(files, arguments[0])
			delete(files, name)
			return err
		}, nil
	case verb == "rename" && len(arguments) == 2:
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(arguments[0]) + `\b`)
		return nil, func(files map[string]string) error {
			for _, name := range slices.Collect(maps.Keys(files)) {
				text := files[name]
				delete(files, name)
				files[word.ReplaceAllString(name, arguments[1])] = word.ReplaceAllString(text, arguments[1])
			}
			return nil
		}, nil
	case verb == "replace" && len(arguments) == 3:
		return nil, func(files map[string]string) error {
			name, err := file(files, arguments[0])
			words := strings.NewReplacer("_", " ", `\n`, "\n")
			before, after := words.Replace(arguments[1]), words.Replace(arguments[2])
			if err == nil && !strings.Contains(files[name], before) {
				err = fmt.Errorf("%s has no %q", name, before)
			}
			files[name] = strings.ReplaceAll(files[name], before, after)
			return err
		}, nil
	}
	return nil, nil, fmt.Errorf("not understood: %q", words)
}

func file(files map[string]string, ending string) (string, error) {
	for name := range files {
		if strings.HasSuffix(name, "/"+ending) {
			return name, nil
		}
	}
	return "", fmt.Errorf("the must-gather has no %s", ending)
}

func thing(w *snapshottest.World, kind string, h snapshottest.Host) any {
	switch kind {
	case "member":
		return w.Member(h)
	case "machine":
		return w.Machine(h)
	case "node":
		return w.Node(h)
	case "pod":
		return &w.Node(h).Etcd
	case "guard":
		return w.Guard(h)
	case "status":
		return w.Status(h)
	case "server":
		return w.APIServer(h)
	}
	panic("no such thing: " + kind)
}

// set panics on a field that is not there: the description is wrong then.
func set(in any, field, value string) {
	target := reflect.ValueOf(in).Elem().FieldByName(field)
	if !target.IsValid() {
		panic(fmt.Sprintf("%T has no field %s", in, field))
	}
	if err := json.Unmarshal([]byte(value), target.Addr().Interface()); err != nil {
		panic(fmt.Sprintf("%T.%s: %v", in, field, err))
	}
}
