import Accounts
import Foundation
import IdentityProviders
import Logging
import PhotolalaAPI
import Secrets

/// Everything a server is told, checked.
struct Settings: Sendable {
    let environment: DeploymentEnvironment
    /// The folder of the store.
    let data: String
    let listen: ListenAddress
    let storage: StorageSettings
    let publicURL: String
    let tokenIssuer: String
    let tokenAudience: String
    /// `nil` in `dev`, where one is made and kept in the data folder.
    let masterKey: MasterKey?
    let previousMasterKeys: [MasterKey]
    let subjects: SubjectSpelling.Mode?
    let requiresChallenge: Bool
    let allowsContinue: Bool
    let authCallsPerMinute: Int
    let bodyLimit: Int
    /// Addresses and CIDR blocks.
    let trustedProxies: [String]
    let countUsageEvery: Duration
    /// Real providers; in `dev` those that are not set here are played by the development provider.
    let providers: [IdentityProviderSettings]
    let log: LogSettings
}

/// The S3 endpoint of one machine.
struct StorageSettings {
    let listen: ListenAddress
    /// What clients are told.
    let endpoint: String
    let region: String
    let bucket: String
    let corsOrigins: [String]
}

/// How the server logs, on standard error.
struct LogSettings {
    enum Format: String, CaseIterable {
        case text
        case json
    }

    let level: Logger.Level
    let format: Format
}

/// Everything that is wrong with the settings, at once.
struct SettingsProblems: Error, CustomStringConvertible {
    let problems: [String]

    var description: String {
        "The settings have \(problems.count == 1 ? "a problem" : "\(problems.count) problems"):\n"
            + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
}
