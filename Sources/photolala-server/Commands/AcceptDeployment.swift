import Accounts
import ArgumentParser
import ObjectStorage
import ServiceWiring

/// Records a new public URL or credential role for a bucket, before a deployment that changes them.
struct AcceptDeployment: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-deployment",
        abstract: "Record these settings' publicURL and sts.roleARN for the bucket. Stop all instances first.",
        discussion: "An instance with another publicURL or sts.roleARN than recorded does not start."
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            guard let record = settings.deployment else {
                throw StartProblem("\(settings.store.location) is a folder; accept-deployment requires a bucket")
            }
            let logger = settings.log.makeLogger("photolala.accept-deployment")
            try await LiveStore.use(settings, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, settings)
                print(try await Self.replace(record, DeploymentRegistry(store: store, retry: LiveStore.retry)))
            }
        }
    }

    /// - Returns: A description of the change.
    static func replace(_ record: DeploymentRecord, _ registry: DeploymentRegistry) async throws -> String {
        let known: DeploymentRecord?
        do {
            known = try await registry.replace(with: record)
        } catch .preconditionFailed {
            throw StartProblem("the recorded settings changed concurrently. Nothing was changed")
        }
        guard let known else {
            throw StartProblem("no recorded settings in this store. The first server start records them")
        }
        if known.publicURL == record.publicURL, known.role == record.role {
            return "already recorded: \(describe(record))"
        }
        return "recorded: \(describe(record)); before: \(describe(known))"
    }

    private static func describe(_ record: DeploymentRecord) -> String {
        "publicURL \(record.publicURL), sts.roleARN \(record.role)"
    }
}
