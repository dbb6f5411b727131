import Accounts
import ObjectStorage

extension Settings {
    /// The settings that all instances on a bucket must share; `nil` for a folder, which only one machine uses.
    package var deployment: DeploymentRecord? {
        guard case .bucket(let bucket) = store else { return nil }
        return DeploymentRecord(publicURL: publicURL, role: bucket.roleARN)
    }
}

extension Live {
    /// Fails the start if other instances use another public URL or role. Applies in every environment.
    func requireSameDeployment(in store: any ObjectStore) async throws {
        guard let own = settings.deployment else { return }
        let recorded = try await DeploymentRegistry(store: store, retry: LiveStore.retry).register(own)
        let differences = [
            ("publicURL", recorded.publicURL, own.publicURL), ("sts.roleARN", recorded.role, own.role),
        ].filter { $0.1 != $0.2 }.map { "\($0.0) is \($0.1) in the store and \($0.2) in the settings" }
        guard differences.isEmpty else {
            throw StartProblem(
                differences.joined(separator: "\n  ")
                    + "\n  All instances on a bucket must use the same values. If the deployment has moved, stop all "
                    + "instances and run photolala-server accept-deployment with these settings")
        }
    }
}
