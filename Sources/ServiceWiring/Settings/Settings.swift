import Accounts
import AddressCountries
import Foundation
import HTTPListener
import IdentityProviders
import Logging
import PhotolalaAPI
import Secrets
import Transport
import UseCases
import Webhooks

/// All settings of a server, validated.
package struct Settings: Sendable {
    package let environment: DeploymentEnvironment
    /// Whether other devices of the local network may pair with this server, in `dev` only.
    package let isPairing: Bool
    package let listen: ListenAddress
    /// The operators' listener; `nil` if there is none.
    package let operatorListen: OperatorAddress?
    /// The host names, besides IP addresses and `localhost`, under which operators reach that listener.
    package let operatorHosts: [String]
    /// The namespace of the metrics on standard output; `nil` if there are none.
    package let emfNamespace: String?
    /// `nil` if nothing is traced.
    package let traces: TraceSettings?
    /// The files of the certificate and its key for the server and the S3 endpoint; `nil` without TLS.
    package let tls: (certificate: String, key: String)?
    package let store: StoreSettings
    package let publicURL: String
    package let brand: ServiceBrand
    package let tokenIssuer: String
    package let tokenAudience: String
    /// `nil` in `dev` on a folder, where a key is generated and stored.
    package let masterKey: MasterKey?
    package let previousMasterKeys: [MasterKey]
    package let subjects: KeyEncoding.Mode?
    package let requiresChallenge: Bool
    package let allowsContinue: Bool
    package let allowsSharing: Bool
    /// The delay of an unlinking that could lock the owner out, in seconds.
    package let unlinkDelay: Int
    /// How long a session with a hardware key lasts after its last use, in days; 0 if its end is fixed.
    package let slidingDays: Int
    /// How long a scheduled deletion can be cancelled, in days.
    package let undoDays: Int
    /// How long the operator keeps backups of the store, in days; 0 if unknown.
    package let backupDays: Int
    package let callRates: CallRates
    package let devicesPerAccount: Int
    package let connections: Int
    package let connectionsPerAddress: Int
    /// Limits of a folder's S3 endpoint; 0 sets no limit.
    package let s3AccountRequestsPerMinute: Int
    package let s3AddressRequestsPerMinute: Int
    package let bodyLimit: Int
    package let rememberedProofs: Int
    package let rememberedWaitingDevices: Int
    /// The memory for open libraries, in bytes.
    package let libraryMemory: Int
    /// IP addresses and CIDR blocks.
    package let trustedProxies: [String]
    /// The countries of addresses; `nil` if they are not determined.
    package let countries: CountryDatabase?
    package let countUsageEvery: Duration
    package let reservesUploads: Bool
    /// The lifetime of storage credentials, in seconds.
    package let credentialLifetime: TimeInterval
    /// The longest validity of the addresses of reserved uploads, in seconds.
    package let uploadAddressLifetime: TimeInterval
    package let purchases: PurchaseSettings
    /// The receiver of events, `nil` if events are not sent.
    package let webhooks: WebhookSettings?
    /// `nil` if no security e-mails are sent.
    package let mail: MailSettings?
    /// The configured providers. In `dev`, the development provider emulates the ones that are missing.
    package let providers: [IdentityProviderSettings]
    /// Apps that sign in through the server's pages, besides the command line.
    package let apps: [AppClient]
    package let log: LogSettings
}

extension Settings {
    /// The hosts that requests may name. In `dev` the development provider signs in any identity, so requests from
    /// another site whose name resolves to this machine must be rejected.
    package var servedHosts: AllowedHosts { environment == .dev ? .loopback(and: [publicURL, store.endpoint]) : .any }

    /// Returns the country of a client's address; `nil` if this deployment determines no countries.
    package var country: (@Sendable (IPAddress) -> CountryCode?)? {
        guard let countries else { return nil }
        return { countries.country(of: $0) }
    }

    /// The origin (RFC 6454 section 6.2) of the server's own pages, as browsers send it.
    package var publicOrigin: String {
        guard let url = URLComponents(string: publicURL), let scheme = url.scheme?.lowercased(),
            let host = url.encodedHost?.lowercased()
        else { return publicURL }
        let usual = ["http": 80, "https": 443]
        guard let port = url.port, port != usual[scheme] else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }
}

/// The settings for the log on standard error.
package struct LogSettings {
    package enum Format: String, CaseIterable {
        case text
        case json
    }

    package let level: Logger.Level
    package let format: Format
}

/// All problems in the settings.
package struct SettingsProblems: Error, CustomStringConvertible {
    package let problems: [String]

    package var description: String {
        "invalid settings (\(problems.count == 1 ? "1 problem" : "\(problems.count) problems")):\n"
            + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
}
