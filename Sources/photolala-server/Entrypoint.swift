import ArgumentParser
import Foundation
import PhotolalaAPI
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
        FreedMemory.returnToSystem()
        if let problem = ArgumentEncoding.problem(in: ArgumentEncoding.argumentsOfThisProcess()) {
            exit(withError: ValidationError(problem))
        }
        await main(nil)
    }
}
