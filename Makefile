.PHONY: help demo run test test-large simulate fuzz repair-scale copies check format bench docs

help: ## what there is
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

demo: ## Bob's whole journey on real photos (PHOTOS=DIR for your own)
	@scripts/demo $(PHOTOS)

run: ## the server in dev on ./data, loopback only
	@scripts/run-dev

test: ## everything that must hold
	@scripts/test

test-large: ## 100,000 tiny files and a video of 20 GB, killed on the way (FILES=n, GIGABYTES=n)
	@FILES=$(FILES) GIGABYTES=$(GIGABYTES) scripts/test-large

simulate: ## 34,000 seeded schedules of each kind: three with accounts, one with catalogs; 1,700 of syncs and of purges (SEEDS=n); make test has 3,900 in all
	@scripts/simulate $(SEEDS)

fuzz: ## a million mutated inputs for every parser that a stranger reaches, with the address sanitizer (SEEDS=n)
	@scripts/fuzz $(SEEDS)

repair-scale: ## repair over a million accounts that are made up while they are read (ACCOUNTS=n)
	@scripts/repair-scale $(ACCOUNTS)

copies: ## three servers on one SeaweedFS: 200 identities that sign up 16 times at once, and the rest of that suite
	@scripts/copies $(IDENTITIES)

check: ## the house's rules, without a build
	@scripts/check

format: ## format all sources
	@swift format --in-place --recursive --parallel Sources Tests Benchmarks Package.swift

docs: ## the SDK's documentation and tutorial as a web site in .build/documentation
	@scripts/docs

bench: ## durable small writes against one synced file per object (BENCH=device-keys: a device's key; BENCH=purchases: what Apple signs, and reserved uploads; BENCH=catalog: against sqlite3; BENCH=backup: against rclone and aws; BENCH=library: 10,000 photos in Chromium)
	@scripts/bench $(BENCH)
