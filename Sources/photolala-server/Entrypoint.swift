import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Transport

/// The server and the operator's commands.
@main
struct Entrypoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photolala-server",
        abstract: "The Photolala account and storage server.",
        version: PhotolalaVersion.current,
        subcommands: [
            Serve.self, CheckSettings.self, RepairStore.self, AuditAccount.self, TakeSnapshot.self, RecoverStore.self,
            MigrateStore.self, BackUpDatabases.self, ScrubStore.self, ForgetSigningKeys.self, AcceptIssuer.self,
            AcceptDeployment.self, TransferApple.self, Events.self, ShowSubscription.self, Jobs.self,
            ShowDeletions.self, AccountCommands.self, SharedLinkCommands.self, OperatorCommands.self, ProveAbsence.self,
            Doctor.self,
        ]
    )

    /// The prefix of usage errors, as of all other errors.
    static var _errorPrefix: String { "error: " }

    static func main() async {
        StandardStreams.openClosed()
        FreedMemory.returnToSystem()
        StandardOutput.checkAtExit()
        do {
            if let problem = ArgumentEncoding.problem(in: ArgumentEncoding.argumentsOfThisProcess()) {
                throw ValidationError(problem)
            }
            try check(Array(CommandLine.arguments.dropFirst()))
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch { end(error) }
    }

    /// Ends the program as ArgumentParser does, but without the control characters of arguments in its message.
    private static func end(_ error: any Error) -> Never {
        let status = exitCode(for: error)
        guard status != .success else { exit(withError: error) }
        let text = fullMessage(for: error, columns: nil)
        if !text.isEmpty { ExitStatus.printLines(text) }
        exit(withError: status)
    }

    /// - Throws: If a word stands where a command is required and names none, with the most similar command.
    static func check(_ arguments: [String]) throws(ValidationError) {
        var (command, path): (any ParsableCommand.Type, String) = (Entrypoint.self, "")
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                let hint = NearestName.hint(word, among: subcommands.map { $0._commandName })
                throw ValidationError("Unknown command “\(path)\(word)”\(hint.isEmpty ? "." : hint)")
            }
            (command, path) = (next, "\(path)\(word) ")
        }
    }
}
