import Accounts
import Flows
import Foundation
import HTTPListener
import IdentityProviders
import Logging
import PhotolalaAPI
import Secrets
import Webhooks

/// Everything a server is told, checked.
struct Settings: Sendable {
    let environment: DeploymentEnvironment
    let listen: ListenAddress
    let store: StoreSettings
    let publicURL: String
    let tokenIssuer: String
    let tokenAudience: String
    /// `nil` in `dev` on a folder, where one is made and kept.
    let masterKey: MasterKey?
    let previousMasterKeys: [MasterKey]
    let subjects: SubjectSpelling.Mode?
    let requiresChallenge: Bool
    let allowsContinue: Bool
    /// How long an unlinking that could lock the owner out waits, in seconds.
    let unlinkDelay: Int
    let callRates: CallRates
    let devicesPerAccount: Int
    let connections: Int
    let connectionsPerAddress: Int
    /// Of the S3 endpoint of a folder; 0 sets no limit.
    let s3AccountRequestsPerMinute: Int
    let s3AddressRequestsPerMinute: Int
    let bodyLimit: Int
    let rememberedProofs: Int
    let rememberedWaitingDevices: Int
    /// Bytes.
    let libraryMemory: Int
    /// Addresses and CIDR blocks.
    let trustedProxies: [String]
    let countUsageEvery: Duration
    let reservesUploads: Bool
    /// Of storage credentials, in seconds.
    let credentialLifetime: TimeInterval
    let purchases: PurchaseSettings
    /// Where events go; `nil` where nobody is told of any.
    let webhooks: WebhookSettings?
    /// Real providers; in `dev` those that are not set here are played by the development provider.
    let providers: [IdentityProviderSettings]
    /// Apps that people sign in to with the server's pages, beside the command line.
    let apps: [AppClient]
    let log: LogSettings
}

extension Settings {
    /// The hosts that requests may name. In `dev` the development provider signs in anyone who asks, so a page of another
    /// site whose name resolves to this machine must not be able to ask.
    var servedHosts: ServedHosts { environment == .dev ? .loopback(and: [publicURL, store.endpoint]) : .any }

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
