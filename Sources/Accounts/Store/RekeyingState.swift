import Foundation
import PhotolalaAPI
import Secrets

/// Re-keying of all identity bindings. It is recorded in the store manifest, where every instance finds it.
package struct RekeyingState: Codable, Sendable, Equatable {
    /// The phase of re-keying. An instance may be one phase behind, never two: see `RekeyingSchedule`.
    package enum Phase: String, Codable, Sendable {
        /// Identities are bound under both keys, the old one first, and looked up under both, the new one first.
        case both
        /// Only the new keys are in force; the old ones are being removed.
        case confirmed
        /// Only the old keys are in force; the new ones are being removed.
        case undone
    }

    package let subjects: KeyEncoding.Mode
    package let subjectKeyID: String
    let subjectKeyCheck: String
    package private(set) var phase: Phase
    /// When the phase began.
    package private(set) var since: Date

    package init(to subjects: KeyEncoding.Mode, keyRing: KeyRing, at now: Date) throws(SecretsError) {
        self.subjects = subjects
        subjectKeyID = keyRing.currentKeyID
        subjectKeyCheck = try keyRing.checkValue(of: subjectKeyID)
        phase = .both
        since = now
    }

    mutating func enter(_ phase: Phase, at now: Date) {
        self.phase = phase
        since = now
    }
}

/// How soon every instance knows the phase of re-keying, in seconds. No phase ends before `wait` has passed.
package struct RekeyingSchedule: Sendable {
    /// How often an instance reads the manifest.
    package let refreshInterval: TimeInterval
    /// How long an instance relies on a read; afterwards it reads the manifest before anything else.
    package let maximumAge: TimeInterval
    /// How long re-keying waits after each change of phase: `trust` plus a margin for clock differences.
    package let phaseDelay: TimeInterval

    /// In `dev` all instances run on one machine, and a developer waits for them.
    package init(_ environment: DeploymentEnvironment) {
        (refreshInterval, maximumAge, phaseDelay) = environment == .dev ? (1, 3, 6) : (10, 30, 120)
    }
}
