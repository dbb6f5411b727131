import ArgumentParser

/// The timeout for a photo store that does not respond.
struct TransferOptions: ParsableArguments {
    static let usualTimeout = 60

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds without a byte after which a request to the photo store fails. Else 60.", valueName: "seconds"))
    var stallTimeout = TransferOptions.usualTimeout

    func validate() throws {
        guard (1...3600).contains(stallTimeout) else { throw ValidationError("--stall-timeout takes 1 to 3600.") }
    }
}
