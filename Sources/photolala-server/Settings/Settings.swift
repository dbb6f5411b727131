import Accounts
import Foundation
import HTTPListener
import IdentityProviders
import Logging
import PhotolalaAPI
import Secrets
import UseCases
import Webhooks

/// All settings of a server, validated.
struct Settings: Sendable {
    let environment: DeploymentEnvironment
    let listen: ListenAddress
    /// The operators' listener; `nil` if there is none.
    let operatorListen: OperatorAddress?
    /// The host names, besides IP addresses and `localhost`, under which operators reach that listener.
    let operatorHosts: [String]
    /// The namespace of the metrics on standard output; `nil` if there are none.
    let emfNamespace: String?
    /// `nil` if nothing is traced.
    let traces: TraceSettings?
    /// The files of the certificate and its key for the server and the S3 endpoint; `nil` without TLS.
    let tls: (certificate: String, key: String)?
    let store: StoreSettings
    let publicURL: String
    let tokenIssuer: String
    let tokenAudience: String
    /// `nil` in `dev` on a folder, where a key is generated and stored.
    let masterKey: MasterKey?
    let previousMasterKeys: [MasterKey]
    let subjects: KeyEncoding.Mode?
    let requiresChallenge: Bool
    let allowsContinue: Bool
    /// The delay of an unlinking that could lock the owner out, in seconds.
    let unlinkDelay: Int
    /// How long a scheduled deletion can be cancelled, in days.
    let undoDays: Int
    /// How long the operator keeps backups of the store, in days; 0 if unknown.
    let backupDays: Int
    let callRates: CallRates
    let devicesPerAccount: Int
    let connections: Int
    let connectionsPerAddress: Int
    /// Limits of a folder's S3 endpoint; 0 sets no limit.
    let s3AccountRequestsPerMinute: Int
    let s3AddressRequestsPerMinute: Int
    let bodyLimit: Int
    let rememberedProofs: Int
    let rememberedWaitingDevices: Int
    /// The memory for open libraries, in bytes.
    let libraryMemory: Int
    /// IP addresses and CIDR blocks.
    let trustedProxies: [String]
    let countUsageEvery: Duration
    let reservesUploads: Bool
    /// The lifetime of storage credentials, in seconds.
    let credentialLifetime: TimeInterval
    let purchases: PurchaseSettings
    /// The receiver of events, `nil` if events are not sent.
    let webhooks: WebhookSettings?
    /// The configured providers. In `dev`, the development provider emulates the ones that are missing.
    let providers: [IdentityProviderSettings]
    /// Apps that sign in through the server's pages, besides the command line.
    let apps: [AppClient]
    let log: LogSettings
}

extension Settings {
    /// The hosts that requests may name. In `dev` the development provider signs in any identity, so requests from
    /// another site whose name resolves to this machine must be rejected.
    var servedHosts: AllowedHosts { environment == .dev ? .loopback(and: [publicURL, store.endpoint]) : .any }

    /// The origin (RFC 6454 section 6.2) of the server's own pages, as browsers send it.
    var publicOrigin: String {
        guard let url = URLComponents(string: publicURL), let scheme = url.scheme?.lowercased(),
            let host = url.encodedHost?.lowercased()
        else { return publicURL }
        let usual = ["http": 80, "https": 443]
        guard let port = url.port, port != usual[scheme] else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }
}

/// The settings for the log on standard error.
struct LogSettings {
    enum Format: String, CaseIterable {
        case text
        case json
    }

    let level: Logger.Level
    let format: Format
}

/// All problems in the settings.
struct SettingsProblems: Error, CustomStringConvertible {
    let problems: [String]

    var description: String {
        "invalid settings (\(problems.count == 1 ? "1 problem" : "\(problems.count) problems")):\n"
            + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
}
