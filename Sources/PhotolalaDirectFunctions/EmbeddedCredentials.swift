import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaClient
import S3Protocol
import Secrets

/// AWS credentials in an app that may only invoke Photolala's four direct functions, sealed with AES-256-GCM for each
/// deployment environment.
///
/// `photolala credential-code` writes the Swift file that creates a value. The keys are in the app beside what they
/// open: sealing keeps the credentials from searches for the form of AWS keys, and not from a person with a copy of the
/// app. Releases contain the credentials of `prod` only: the others are compiled only under a condition such as `DEBUG`.
public struct EmbeddedCredentials: Sendable {
    /// The credentials of one environment.
    public struct Sealed: Sendable {
        /// The environment that they open.
        public let environment: DeploymentEnvironment
        /// The AES-256 key, in Base64.
        package let key: String
        /// Nonce, ciphertext and tag, in Base64.
        package let box: String

        /// Creates a value from the text that `photolala credential-code` writes.
        public init(_ environment: DeploymentEnvironment, key: String, box: String) {
            (self.environment, self.key, self.box) = (environment, key, box)
        }
    }

    /// The user and the region of the functions of one environment.
    package struct Invoker: Codable, Equatable, Sendable {
        package let accessKeyID: String
        package let secretAccessKey: String
        package let region: String

        package init(accessKeyID: String, secretAccessKey: String, region: String) {
            (self.accessKeyID, self.secretAccessKey, self.region) = (accessKeyID, secretAccessKey, region)
        }

        var keys: AWSCredentials { AWSCredentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey) }
    }

    private let sealed: [DeploymentEnvironment: Sealed]

    /// Creates a value. Of several with the same environment the last one is used.
    public init(_ sealed: [Sealed]) {
        self.sealed = Dictionary(sealed.map { ($0.environment, $0) }) { $1 }
    }

    /// The environments whose credentials are in this build of the app.
    public var environments: Set<DeploymentEnvironment> { Set(sealed.keys) }

    /// Opens the credentials of an environment.
    /// - Throws: `environmentNotEmbedded`; `embeddedCredentialsUnusable` if they were changed or sealed for another
    ///   environment.
    package func open(_ environment: DeploymentEnvironment) throws(PhotolalaError) -> Invoker {
        guard let sealed = sealed[environment] else {
            throw PhotolalaError(
                code: .environmentNotEmbedded, detail: "This build has no credentials for \(environment.rawValue).")
        }
        guard let key = Data(base64Encoded: sealed.key), key.count == Self.keyLength,
            let box = Data(base64Encoded: sealed.box).flatMap({ try? AES.GCM.SealedBox(combined: $0) }),
            let text = try? AES.GCM.open(
                box, using: SymmetricKey(data: key), authenticating: Self.context(environment)),
            let invoker = try? JSONDecoder().decode(Invoker.self, from: text)
        else {
            throw PhotolalaError(
                code: .embeddedCredentialsUnusable,
                detail: "The credentials for \(environment.rawValue) in this build cannot be opened.")
        }
        return invoker
    }

    private static let keyLength = 32
    private static let nonceLength = 12

    /// Binds a box to its environment.
    private static func context(_ environment: DeploymentEnvironment) -> Data {
        Data("photolala embedded credentials for \(environment.rawValue)".utf8)
    }

    /// Seals credentials with a new key.
    package static func seal(
        _ invoker: Invoker, for environment: DeploymentEnvironment, randomness: Randomness
    ) throws -> Sealed {
        let key = Data(randomness.bytes(keyLength))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let box = try AES.GCM.seal(
            try encoder.encode(invoker), using: SymmetricKey(data: key),
            nonce: AES.GCM.Nonce(data: randomness.bytes(nonceLength)), authenticating: context(environment))
        let combined = box.nonce + box.ciphertext + box.tag
        return Sealed(environment, key: key.base64EncodedString(), box: combined.base64EncodedString())
    }
}

extension ErrorCode {
    /// This build of the app has no credentials for the environment.
    public static let environmentNotEmbedded = ErrorCode(rawValue: "environment_not_embedded")
    /// The app's embedded credentials cannot be opened.
    public static let embeddedCredentialsUnusable = ErrorCode(rawValue: "embedded_credentials_unusable")
    /// AWS rejected the app's embedded credentials: they were replaced, do not allow the function, or the device's clock is
    /// wrong.
    public static let embeddedCredentialsRejected = ErrorCode(rawValue: "embedded_credentials_rejected")
}
