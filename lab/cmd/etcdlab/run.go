package main

import (
	"bufio"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
	"github.com/openshift/cluster-etcd-operator/lab/player"
	"github.com/openshift/cluster-etcd-operator/lab/report"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
	"github.com/openshift/cluster-etcd-operator/lab/session"
	"github.com/openshift/cluster-etcd-operator/lab/view"
)

// playSubcommand is the argument with which this program plays a scenario
// inside a lab.
const playSubcommand = "play"

// playerPriority is the player's nice value.
const playerPriority = -5

type runOptions struct {
	seed     int64
	operator string
	etcd     string
	out      string
	keep     bool
	fsync    bool
}

func newRun() *cobra.Command {
	var options runOptions
	command := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Play scenarios, each on a new lab, and judge them",
		Long: `Play scenarios, each on a new lab, and judge what happened.

A SCENARIO is the name of one that comes with the lab (see ` + "`etcdlab list`" + `) or a
YAML file; docs/lab.md describes the format. The seed decides victims, delays,
keys and values; it is printed, and the same one gives the same choices.

A recording of everything that was seen and done, logs, the verdict and a report
with a picture (report.html) stay in a folder that is printed. The exit status is
0 only if everything holds in every scenario.`,
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) == 0 {
				return usageError{errors.New("which scenario? `etcdlab list` names those that come with the lab")}
			}
			return nil
		},
		RunE: func(command *cobra.Command, arguments []string) error {
			if !command.Flags().Changed("seed") {
				options.seed = randomSeed()
			}
			return run(command.Context(), arguments, options)
		},
	}
	flags := command.Flags()
	flags.Int64Var(&options.seed, "seed", 0, "number that decides victims, delays, keys and values (default: a new one, which is printed)")
	flags.StringVar(&options.operator, "operator-binary", "", "program to run as the operator (default: bin/cluster-etcd-operator of this checkout)")
	flags.StringVar(&options.etcd, "etcd-version", "", etcdVersionHelp)
	flags.StringVar(&options.out, "out", "", "empty or new folder for recordings, logs and verdicts (default: a new one below the temporary folder)")
	flags.BoolVar(&options.keep, "keep", false, "keep the hosts' disks as well")
	flags.BoolVar(&options.fsync, "fsync", false, "let etcd wait for the disk at each write, as in production")
	return command
}

func randomSeed() int64 {
	var bytes [8]byte
	// It never fails.
	_, _ = crand.Read(bytes[:])
	return int64(binary.LittleEndian.Uint64(bytes[:]) % 1_000_000)
}

func newList() *cobra.Command {
	var names bool
	command := &cobra.Command{
		Use:   "list",
		Short: "Name the scenarios that come with the lab",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			for _, name := range scenario.Builtin() {
				if names {
					fmt.Println(name)
					continue
				}
				data, err := scenario.BuiltinSource(name)
				if err != nil {
					return err
				}
				parsed, err := scenario.Parse(name, data, 0)
				if err != nil {
					return err
				}
				fmt.Printf("%s\n    %s\n", name, parsed.About)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&names, "names", false, "print the names alone")
	return command
}

func newJudge() *cobra.Command {
	return &cobra.Command{
		Use:   "judge FOLDER",
		Short: "Judge a recording again",
		Long: `Judge a recording again, print the verdict, and write report.html and
report.json into its folder.`,
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return usageError{errors.New("want the folder of one recording")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			recording, err := history.Read(arguments[0])
			if err != nil {
				return errors.Join(err, recordingsBelow(arguments[0]))
			}
			verdict := oracle.Judge(recording)
			fmt.Print(verdict)
			page, err := report.Write(arguments[0], recording, verdict)
			if err != nil {
				return err
			}
			fmt.Printf("   report in %s\n", page)
			if !verdict.Holds() {
				return exitStatus(exitFailed)
			}
			return nil
		},
	}
}

// recordingsBelow says which folders in a folder without a recording have one: run
// prints the folder of all scenarios. It returns nil if none has.
func recordingsBelow(folder string) error {
	if _, err := os.Lstat(filepath.Join(folder, history.File)); err == nil {
		return nil
	}
	found, err := filepath.Glob(filepath.Join(folder, "*", history.File))
	if err != nil || len(found) == 0 {
		return nil
	}
	for i, file := range found {
		found[i] = filepath.Dir(file)
	}
	return usageError{fmt.Errorf("there is one in %s", strings.Join(found, ", "))}
}

// read finds and parses a scenario by name or as a file.
func read(argument string, seed int64) (*scenario.Scenario, string, error) {
	name, data, err := argument, []byte(nil), error(nil)
	if slices.Contains(scenario.Builtin(), argument) {
		data, err = scenario.BuiltinSource(argument)
		name += ".yaml"
	} else {
		data, err = os.ReadFile(argument)
		if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(argument, "/.") {
			_, err = scenario.BuiltinSource(argument)
		}
	}
	if err != nil {
		return nil, "", usageError{err}
	}
	parsed, err := scenario.Parse(name, data, seed)
	if err != nil {
		return nil, "", usageError{err}
	}
	return parsed, name, nil
}

func run(ctx context.Context, arguments []string, options runOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	type one struct {
		scenario *scenario.Scenario
		file     string
	}
	var all []one
	needsOperator := false
	for _, argument := range arguments {
		parsed, file, err := read(argument, options.seed)
		if err != nil {
			return err
		}
		all = append(all, one{parsed, file})
		needsOperator = needsOperator || !parsed.ByHand
	}
	if needsOperator {
		if err := options.findOperator(); err != nil {
			return err
		}
	}
	if err := checkEtcd(options.etcd); err != nil {
		return err
	}
	if err := checkFree(); err != nil {
		return err
	}
	if err := options.makeOut(); err != nil {
		return err
	}
	var lab session.Options
	var err error
	if lab.Programs, err = programs(ctx); err != nil {
		return err
	}
	if err := provideEtcd(ctx, &lab, options.etcd); err != nil {
		return err
	}
	fmt.Printf("seed %d; recordings, logs and verdicts are kept in %s\n", options.seed, options.out)
	var failed []string
	for i, one := range all {
		folder := filepath.Join(options.out, fmt.Sprintf("%d-%s", i+1, one.scenario.Name))
		verdict, err := untilSeen(folder, func(folder string) (oracle.Verdict, error) {
			return playOne(ctx, one.scenario, one.file, folder, lab, options)
		})
		if err != nil {
			return err
		}
		if !verdict.Holds() {
			failed = append(failed, verdict.Failures()...)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("not all holds with seed %d:\n%s", options.seed, strings.Join(failed, "\n"))
	}
	return nil
}

// untilSeen plays once more, beside the first folder, where the machine was too busy
// for the recording: that says nothing about what was played.
func untilSeen(folder string, play func(folder string) (oracle.Verdict, error)) (oracle.Verdict, error) {
	verdict, err := play(folder)
	if err != nil || !verdict.Strained() {
		return verdict, err
	}
	fmt.Println("   the machine did not keep up; playing it once more")
	return play(folder + "-again")
}

func (o *runOptions) findOperator() error {
	if o.operator == "" {
		executable, err := os.Executable()
		if err != nil {
			return fmt.Errorf("find this program: %w", err)
		}
		o.operator = filepath.Join(filepath.Dir(executable), "cluster-etcd-operator")
		if _, err := os.Stat(o.operator); err != nil {
			return usageError{fmt.Errorf("no operator is built: run `make build`, or give --operator-binary (%w)", err)}
		}
	}
	lab := session.Options{Operator: o.operator}
	if err := findOperator(&lab); err != nil {
		return err
	}
	o.operator = lab.Operator
	return nil
}

func (o *runOptions) makeOut() error {
	if o.out == "" {
		folder, err := os.MkdirTemp("", outPattern)
		if err != nil {
			return fmt.Errorf("make a folder for recordings: %w", err)
		}
		o.out = folder
		return os.Chmod(folder, 0o755)
	}
	folder, err := filepath.Abs(o.out)
	if err != nil {
		return fmt.Errorf("find the folder for recordings: %w", err)
	}
	o.out = folder
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return usageError{fmt.Errorf("--out: folder %s is not empty", folder)}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder for recordings: %w", err)
	}
	return nil
}

// playOne starts a lab, plays, ends the lab and judges.
// lab says which programs are used.
func playOne(ctx context.Context, s *scenario.Scenario, file, folder string, lab session.Options, options runOptions) (oracle.Verdict, error) {
	claimed, err := session.Claim()
	if err != nil {
		return oracle.Verdict{}, err
	}
	if err := removeLeftovers(os.TempDir()); err != nil {
		return oracle.Verdict{}, errors.Join(err, claimed.Release())
	}
	fmt.Printf("\n== %s: %s\n", s.Name, s.About)
	for _, victim := range s.Victims {
		fmt.Printf("   $%s is %s\n", victim, s.Chosen[victim])
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return oracle.Verdict{}, errors.Join(fmt.Errorf("make the folder of the recording: %w", err), claimed.Release())
	}
	if !options.keep {
		if err := dispose(folder); err != nil {
			return oracle.Verdict{}, errors.Join(err, claimed.Release())
		}
	}
	config := player.Config{File: file, Source: s.Source, Seed: options.seed, Folder: folder, PrivateEtcd: s.PrivateEtcd, EtcdVersion: options.etcd}
	lab.ControlPlanes, lab.Workers, lab.PrivateEtcd = s.ControlPlanes, s.Workers, s.PrivateEtcd
	lab.Arbiters, lab.UserProvisioned, lab.Families = s.Arbiters, s.UserProvisioned, nil
	for _, family := range s.IPFamilies {
		lab.Families = append(lab.Families, plane.Family(family))
	}
	lab.MachineSet = s.MachineSet
	lab.Fsync, lab.Keep = options.fsync, filepath.Join(folder, "lab")
	if !s.ByHand {
		lab.Operator, config.Operator = options.operator, options.operator
	}
	running, err := claimed.Start(lab)
	if err != nil {
		return oracle.Verdict{}, err
	}
	p := &performance{config: config, screen: view.New(os.Stdout, isTerminal(os.Stdout)), ended: make(chan error, 1)}
	playing, finish := context.WithCancel(ctx)
	defer finish()
	err = running.Run(playing, func(status plane.Status) {
		p.screen.Show(status)
		if status.Phase == plane.Ready && !p.began {
			p.began = true
			go func() {
				p.ended <- p.play(playing)
				finish()
			}()
		}
	})
	p.screen.End()
	finish()
	if !options.keep {
		err = errors.Join(err, disposed(folder))
	}
	if p.began {
		if playErr := <-p.ended; playErr != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "etcdlab:", playErr)
		}
	}
	if err != nil {
		return oracle.Verdict{}, err
	}
	return judge(folder, options.seed)
}

// judge prints the verdict and keeps it, and the report, beside the recording.
func judge(folder string, seed int64) (oracle.Verdict, error) {
	recording, err := history.Read(folder)
	if err != nil {
		return oracle.Verdict{}, err
	}
	verdict := oracle.Judge(recording)
	text := verdict.String()
	if err := os.WriteFile(filepath.Join(folder, "verdict.txt"), []byte(text), 0o644); err != nil {
		return oracle.Verdict{}, fmt.Errorf("keep the verdict: %w", err)
	}
	fmt.Printf("%s   seed %d, recording and logs in %s\n", text, seed, folder)
	page, err := report.Write(folder, recording, verdict)
	if err != nil {
		return oracle.Verdict{}, err
	}
	fmt.Printf("   report in %s\n", page)
	return verdict, nil
}

// removeDisks keeps the logs of a lab and removes what is large or secret.
func removeDisks(work string) error {
	for _, name := range []string{"hosts", "private-etcd", "bin", "certs", "kubeconfig", "tmp"} {
		if err := os.RemoveAll(filepath.Join(work, name)); err != nil {
			return fmt.Errorf("remove the hosts' disks: %w", err)
		}
	}
	return nil
}

// performance is one scenario being played in a lab.
type performance struct {
	config player.Config
	screen *view.View
	began  bool
	ended  chan error
}

// play runs the player inside the lab and shows what it tells.
func (p *performance) play(ctx context.Context) error {
	config := filepath.Join(p.config.Folder, "play.json")
	data, err := json.Marshal(p.config)
	if err != nil {
		return fmt.Errorf("encode the player's configuration: %w", err)
	}
	if err := os.WriteFile(config, data, 0o644); err != nil {
		return fmt.Errorf("write the player's configuration: %w", err)
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return fmt.Errorf("open %s: %w", os.DevNull, err)
	}
	defer nothing.Close()
	log, err := os.Create(filepath.Join(p.config.Folder, "player.log"))
	if err != nil {
		return fmt.Errorf("make the player's log: %w", err)
	}
	defer log.Close()
	told, tell, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	defer told.Close()
	connection, err := control.Call(control.Request{Operation: control.Exec, Arguments: []string{executable, playSubcommand, config}}, nothing, tell, log)
	tell.Close()
	if err != nil {
		return err
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	p.follow(told)
	reply, err := connection.Next()
	if err != nil {
		return fmt.Errorf("play the scenario: %w", err)
	}
	if reply.ExitCode != 0 {
		text, err := os.ReadFile(log.Name())
		return errors.Join(errors.New(strings.TrimSpace(string(text))), err)
	}
	return nil
}

func (p *performance) follow(told *os.File) {
	lines := bufio.NewScanner(told)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var progress player.Progress
		if json.Unmarshal(lines.Bytes(), &progress) != nil {
			continue
		}
		if progress.Line != "" {
			p.screen.Say(fmt.Sprintf("%7.1fs %s", progress.Elapsed.Seconds(), progress.Line))
		}
		p.screen.Below(below(progress))
	}
}

// below is what a terminal shows below the table.
func below(progress player.Progress) string {
	var text strings.Builder
	fmt.Fprintf(&text, "step %d of %d, %.0f s: %s\n", progress.Step, progress.Steps, progress.Elapsed.Seconds(), firstLine(progress.Doing))
	fmt.Fprintf(&text, "load: %d writes acknowledged, %.0f/s, %d not answered\n", progress.Acknowledged, progress.PerSecond, progress.Failed)
	for _, wait := range progress.Waits {
		fmt.Fprintf(&text, "operator: %s\n", firstLine(wait))
	}
	return text.String()
}

// firstLine keeps the lines below a table short enough for a terminal.
func firstLine(text string) string {
	const most = 100
	line, _, _ := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return line
}

// hurry gives all threads of this process, and those to come, a better priority:
// whoever records must not wait for what is recorded. Without the right to it a
// recording has gaps sooner on a busy machine, and says so.
func hurry() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, id, playerPriority)
		}
	}
}

// play is the process inside the lab.
func play(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the player's configuration: %w", err)
	}
	var config player.Config
	if err := json.Unmarshal(data, &config); err != nil {
		return fmt.Errorf("read the player's configuration: %w", err)
	}
	hurry()
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM)
	defer stop()
	return player.Play(ctx, config, os.Stdout)
}
