import ArgumentParser

/// The timeout for a photo store that does not respond.
struct TransferOptions: ParsableArguments {
    static let usualTimeout = 60

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time out photo store requests after this many seconds without data.", valueName: "seconds"))
    var stallTimeout = TransferOptions.usualTimeout

    func validate() throws {
        guard (1...3600).contains(stallTimeout) else { throw ValidationError("--stall-timeout must be 1 to 3600.") }
    }
}
