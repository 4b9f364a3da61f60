// Package reasontest checks that a Finding can be put into words. It decides nothing; only tests import it.
package reasontest
