/// The exit status and output of a command.
protocol CommandOutcome: Sendable {
    /// The exit status; not `done` if part of the work failed.
    var status: ExitStatus { get }
    /// Prints the output to standard output.
    func write(asJSON: Bool) throws
}

extension CommandOutcome {
    var status: ExitStatus { .done }
}

/// The result of a command, printed for a person or as JSON.
protocol CommandResult: CommandOutcome, Encodable {
    /// The text for a person, without a trailing newline.
    var text: String { get }
}

extension CommandResult {
    func write(asJSON: Bool) throws {
        if asJSON { try Terminal.writeJSON(self) } else { try Terminal.writeResult(text) }
    }
}
