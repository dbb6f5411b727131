.PHONY: help demo run test test-browser test-large simulate fuzz repair-scale copies soak check format bench docs man deb \
	test-deb lambda release deploy-aws destroy-aws check-aws

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

demo: ## run a complete walkthrough on real photos (PHOTOS=DIR: your own)
	@scripts/demo $(PHOTOS)

run: ## run the server in dev on ./data, on loopback, or for paired devices (environment: DATA, LISTEN, S3_LISTEN, PAIR)
	@scripts/run-dev

test: ## run all checks and tests
	@scripts/test

test-large: ## test backups and exports of 100,000 tiny files and a 20 GB video, each killed once (FILES=n, GIGABYTES=n)
	@FILES=$(FILES) GIGABYTES=$(GIGABYTES) scripts/test-large

test-browser: ## test the portal in Chromium, in all languages, with screenshots of every page in .build/screenshots
	@scripts/test-browser

simulate: ## run 34,000 seeded schedules of each simulation, a twentieth of syncs and purges (SEEDS=n)
	@scripts/simulate $(SEEDS)

fuzz: ## run a million mutated inputs for every parser of untrusted input, with the address sanitizer (SEEDS=n)
	@scripts/fuzz $(SEEDS)

repair-scale: ## measure repair over a million generated accounts (ACCOUNTS=n)
	@scripts/repair-scale $(ACCOUNTS)

copies: ## test three servers on one SeaweedFS with 200 identities, each signed up 16 times at once (IDENTITIES=n)
	@scripts/copies $(IDENTITIES)

soak: ## load two servers on one SeaweedFS for half an hour while both are killed and restarted (MINUTES=n)
	@scripts/soak $(MINUTES)

check: ## check the rules of CONTRIBUTING.md, without a build
	@scripts/check

format: ## format all sources
	@swift format --in-place --recursive --parallel Sources Tests Benchmarks Package.swift

docs: ## build the SDK's documentation and tutorial as a web site in .build/documentation
	@scripts/docs

bench: ## run a benchmark (BENCH=store, sign-in, growth, device-keys, metrics, purchases, catalog, backup, s3, library or grid)
	@scripts/bench $(BENCH)

man: ## write the manual pages of the built programs to .build/man, from their help
	@scripts/manual-page .build/debug/photolala 1 .build/man
	@scripts/manual-page .build/debug/photolala-server 8 .build/man

deb: ## build the Debian packages in .build/deb (PROGRAMS=DIR: of programs built before)
	@PROGRAMS=$(PROGRAMS) scripts/deb

test-deb: ## test the Debian packages in a minimal Debian, as root (DEBS=DIR: packages built before)
	@DEBS=$(DEBS) PROGRAMS=$(PROGRAMS) scripts/test-deb

lambda: ## build the program for AWS Lambda in .build/lambda
	@scripts/build-lambda

release: ## build packages, archive, SBOM, checksums and notes of this version in .build/dist
	@PROGRAMS=$(PROGRAMS) scripts/release

check-aws: ## check the template of deploy/aws and deploy it to moto
	@scripts/check-aws

# Passed on as they are: neither make nor a shell interprets what is in them.
deploy-aws destroy-aws: override export ENV := $(value ENV)
deploy-aws: override export PROGRAM := $(value PROGRAM)
deploy-aws: override export PARAMETERS := $(value PARAMETERS)

deploy-aws: ## deploy ENV to AWS; prints the change set and asks (ENV=stage PROGRAM=FILE PARAMETERS="NAME=VALUE ...")
	@scripts/deploy-aws $(if $(YES),--yes)

destroy-aws: ## delete ENV from AWS, unless its bucket holds accounts (ENV=stage)
	@scripts/destroy-aws $(if $(YES),--yes)
