package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/campaign"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
	"github.com/openshift/cluster-etcd-operator/lab/session"
)

type campaignOptions struct {
	run   runOptions
	hours float64
	walks int
	first int
}

func newCampaign() *cobra.Command {
	options := campaignOptions{}
	command := &cobra.Command{
		Use:   "campaign",
		Short: "Play random walks of faults and user actions, each on a new lab, and judge them",
		Long: `Play random walks of faults and user actions, each on a new lab, and judge them.

A walk is a scenario made from the seed and its number; a majority of the members
stays alive in it, and all must be whole again at its end. When one breaks a
claim, beginnings of it are played to find the shortest that still does. The
folder that is printed keeps each walk's scenario and verdict, the recordings of
those that failed, and the figures in campaign.json.

The exit status is 0 only if no claim was broken.`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if !command.Flags().Changed("seed") {
				options.run.seed = randomSeed()
			}
			return runCampaign(command.Context(), options)
		},
	}
	flags := command.Flags()
	flags.Float64Var(&options.hours, "hours", 0.5, "how long new walks are begun, in hours")
	flags.IntVar(&options.walks, "walks", 0, "how many walks at most (default: as many as fit into the time)")
	flags.IntVar(&options.first, "first", 1, "number of the first walk: to play one again, give it and --walks 1")
	flags.Int64Var(&options.run.seed, "seed", 0, "number that decides all walks (default: a new one, which is printed)")
	flags.StringVar(&options.run.operator, "operator-binary", "", "program to run as the operator (default: bin/cluster-etcd-operator of this checkout)")
	flags.StringVar(&options.run.out, "out", "", "empty or new folder for walks and recordings (default: a new one below the temporary folder)")
	return command
}

func runCampaign(ctx context.Context, options campaignOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	if options.hours <= 0 || options.walks < 0 || options.first < 1 {
		return usageError{errors.New("--hours and --first must be above zero, and --walks not below")}
	}
	if err := options.run.findOperator(); err != nil {
		return err
	}
	if err := checkFree(); err != nil {
		return err
	}
	if err := options.run.makeOut(); err != nil {
		return err
	}
	var lab session.Options
	var err error
	if lab.Programs, err = programs(ctx); err != nil {
		return err
	}
	fmt.Printf("seed %d; walks, recordings and verdicts are kept in %s\n", options.run.seed, options.run.out)
	figures, err := campaign.Run(ctx, campaign.Settings{
		Seed: options.run.seed, For: time.Duration(options.hours * float64(time.Hour)), Walks: options.walks, First: options.first,
		Folder: options.run.out, Now: time.Now, Out: os.Stdout,
		Play: func(ctx context.Context, file string, seed int64, folder string) (oracle.Verdict, error) {
			parsed, name, err := read(file, seed)
			if err != nil {
				return oracle.Verdict{}, err
			}
			one := options.run
			one.seed = seed
			return playOne(ctx, parsed, name, folder, lab, one)
		},
	})
	fmt.Printf("\n%s", figures)
	return err
}
