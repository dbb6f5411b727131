/// What a command found or did, to be shown to a person or a program.
protocol CommandResult: Encodable, Sendable {
    /// For a person; without a line end at its end.
    var text: String { get }
    /// Other than `done` when part of the work failed.
    var status: ExitStatus { get }
}

extension CommandResult {
    var status: ExitStatus { .done }
}
