import Foundation
import PhotolalaAPI
import Secrets

/// A move of all claims to another spelling of subjects. It stands in the store's stamp, where every copy of the
/// service finds it.
package struct SubjectMigration: Codable, Sendable, Equatable {
    /// How far the move is. A copy of the service may be one phase behind, never two: see `MigrationPace`.
    package enum Phase: String, Codable, Sendable {
        /// Identities are claimed under both names, the old one first, and looked for under both, the new one first.
        case both
        /// Only the new names count; the old ones are being removed.
        case confirmed
        /// Only the old names count; the new ones are being removed.
        case undone
    }

    package let subjects: SubjectSpelling.Mode
    package let subjectKeyID: String
    let subjectKeyCheck: String
    package private(set) var phase: Phase
    /// When the phase began.
    package private(set) var since: Date

    init(to subjects: SubjectSpelling.Mode, keyRing: KeyRing, at now: Date) throws(SecretsError) {
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

/// How soon every copy of the service knows the phase of a migration, in seconds. No phase ends before `wait` is over.
package struct MigrationPace: Sendable {
    /// How often a copy reads the stamp.
    package let reread: TimeInterval
    /// How long a copy goes by what it read; afterwards it reads the stamp before anything else.
    package let trust: TimeInterval
    /// How long a migration waits after each change of its phase: `trust`, and room for clocks that differ.
    package let wait: TimeInterval

    /// In `dev` all copies are on one machine, and somebody waits for them.
    package init(_ environment: DeploymentEnvironment) {
        (reread, trust, wait) = environment == .dev ? (1, 3, 6) : (10, 30, 120)
    }
}
