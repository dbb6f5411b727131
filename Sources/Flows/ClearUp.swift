import Accounts
import Foundation
import PhotolalaAPI
import Sessions

extension Services {
    /// How long a device that is out of use is remembered, in seconds.
    static let deviceMemory: TimeInterval = 90 * 86_400

    /// Removes marks of spent proofs that have ended.
    package func clearSpentMarks() async throws(FlowError) {
        _ = try await step { try await spentMarks.clearExpired(at: now()) }
    }

    /// Forgets devices that nobody was signed in on for 90 days.
    package func forgetDevices(holding lease: JobLease? = nil) async throws(FlowError) {
        let time = now().addingTimeInterval(-Self.deviceMemory)
        try await forEachAccount(.devices, holding: lease) {
            try await sessions.devices.forget(unusedSince: time, of: $0)
        }
    }
}
