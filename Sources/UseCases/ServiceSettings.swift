import Foundation
import PhotolalaAPI

/// The deployment settings of the services.
package struct ServiceSettings: Sendable {
    package let policy: ServicePolicy
    /// The apps that users sign in to through this server's pages, including the command line.
    package let apps: [AppClient]
    /// The `iss` of access tokens.
    package let tokenIssuer: String
    /// The `aud` of access tokens.
    package let tokenAudience: String
    /// The URL under which people reach the service, without a trailing slash.
    package let publicURL: String
    package let environment: DeploymentEnvironment
    package let callRates: CallRates
    /// Whether call counts are shared with other instances.
    package let sharesCallCounts: Bool
    /// The number of DPoP proofs that an instance remembers per minute.
    package let rememberedProofs: Int
    /// The number of waiting devices that an instance remembers, to detect those that poll too often.
    package let rememberedWaitingDevices: Int

    /// - Parameter apps: the apps besides the command line.
    package init(
        policy: ServicePolicy, apps: [AppClient], tokenIssuer: String, tokenAudience: String,
        publicURL: String, environment: DeploymentEnvironment, callRates: CallRates, sharesCallCounts: Bool,
        rememberedProofs: Int,
        rememberedWaitingDevices: Int
    ) {
        self.policy = policy
        self.apps = [.commandLine] + apps
        self.tokenIssuer = tokenIssuer
        self.tokenAudience = tokenAudience
        self.publicURL = publicURL
        self.environment = environment
        self.callRates = callRates
        self.sharesCallCounts = sharesCallCounts
        self.rememberedProofs = rememberedProofs
        self.rememberedWaitingDevices = rememberedWaitingDevices
    }
}

/// The rules of a deployment that use cases apply.
package struct ServicePolicy: Sendable {
    /// Every ID token must answer a challenge.
    package let requiresChallenge: Bool
    /// `POST /auth/continue` is served.
    package let allowsContinue: Bool
    /// Devices get no credentials that can write photos; each upload is reserved.
    package let reservesUploads: Bool
    /// Whether people can share photos by links that open without an account.
    package let allowsSharing: Bool
    /// The lifetime of devices' storage credentials, in seconds.
    package let credentialLifetime: TimeInterval
    /// The longest validity of the addresses of reserved uploads, in seconds.
    package let uploadAddressLifetime: TimeInterval
    /// The most devices of an account.
    package let devicesPerAccount: Int
    /// How long the operator keeps backups of the store, in days, for deletion receipts; `nil` if unknown.
    package let backupDays: Int?
    /// How long a session with a hardware key lasts after its last use, in seconds; `nil` if its end is fixed.
    package let slidingLifetime: TimeInterval?

    package init(
        requiresChallenge: Bool, allowsContinue: Bool, reservesUploads: Bool, allowsSharing: Bool,
        credentialLifetime: TimeInterval,
        uploadAddressLifetime: TimeInterval, devicesPerAccount: Int, backupDays: Int? = nil,
        slidingLifetime: TimeInterval? = nil
    ) {
        self.requiresChallenge = requiresChallenge
        self.allowsContinue = allowsContinue
        self.reservesUploads = reservesUploads
        self.allowsSharing = allowsSharing
        self.credentialLifetime = credentialLifetime
        self.uploadAddressLifetime = uploadAddressLifetime
        self.devicesPerAccount = devicesPerAccount
        self.backupDays = backupDays
        self.slidingLifetime = slidingLifetime
    }
}
