import ArgumentParser
import PhotolalaClient

/// The option of commands that ask for confirmation.
struct ConfirmationOption: ParsableArguments {
    @Flag(name: [.long, .customShort("y")], help: "Skip the confirmation.")
    var yes = false

    /// - Parameter nothingDone: A sentence for the error: `Nothing was deleted.`
    /// - Throws: If the command would have to ask without a terminal.
    func requireAnswer(_ nothingDone: String) throws {
        guard !yes, !Confirmation.isPossible else { return }
        throw CommandFailure(
            "Confirmation requires a terminal. \(nothingDone) To skip the confirmation, add --yes.", status: .wrongUsage
        )
    }
}
