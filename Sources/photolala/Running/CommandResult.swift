/// What a command leaves with and prints.
protocol CommandOutcome: Sendable {
    /// Other than `done` when part of the work failed.
    var status: ExitStatus { get }
    /// Prints it to standard output.
    func write(asJSON: Bool) throws
}

extension CommandOutcome {
    var status: ExitStatus { .done }
}

/// What a command found or did, to be shown to a person or a program.
protocol CommandResult: CommandOutcome, Encodable {
    /// For a person; without a line end at its end.
    var text: String { get }
}

extension CommandResult {
    func write(asJSON: Bool) throws {
        if asJSON { try Terminal.json(self) } else { Terminal.result(text) }
    }
}
