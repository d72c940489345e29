"""Votes that can be checked: each closed week has a file of its ballots, chained to the week before and signed."""

from leaderboards.ballots.lines import Ballot, ballot_of
from leaderboards.ballots.writing import ballots_of_voter, faults_of, file_of, write_missing
