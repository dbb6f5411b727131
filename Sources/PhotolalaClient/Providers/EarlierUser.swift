import Foundation
import PhotolalaAPI

/// The user that an earlier version of the app, without accounts on a server, stored in the Keychain.
///
/// Its files at the photo store carry the same user ID; `photolala-server migrate --from older-layouts` creates the account from them, and one
/// authentication at the provider, which needs no tap if the provider has a session, signs in.
public struct EarlierUser: Sendable, Equatable {
    /// The user's ID, which is the account's.
    public let userID: UserID
    /// The provider to authenticate with.
    public let provider: ProviderName
    /// The provider's ID of the user.
    public let subject: String

    /// Reads the `PhotolalaUser` that the app stored as JSON.
    /// - Parameter stored: At most 64 KiB.
    /// - Throws: `localStateUnusable` if it is not one.
    public init(photolalaUser stored: Data) throws(PhotolalaError) {
        struct Stored: Decodable {
            let serviceUserID: String
            let primaryProvider: String?
            let primaryProviderID: String?
            let provider: String?
            let providerID: String?
        }
        guard stored.count <= 64 << 10, let user = try? JSONDecoder().decode(Stored.self, from: stored),
            let provider = (user.primaryProvider ?? user.provider).flatMap(ProviderName.init),
            let subject = user.primaryProviderID ?? user.providerID
        else { throw Self.unusable }
        try self.init(user.serviceUserID, provider, subject)
    }

    /// Reads an item `provider_mapping:PROVIDER:ID`, whose value is the user's ID.
    /// - Throws: `localStateUnusable` if it is not one.
    public init(mapping key: String, to value: String) throws(PhotolalaError) {
        let parts = key.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "provider_mapping", let provider = ProviderName(String(parts[1])) else {
            throw Self.unusable
        }
        try self.init(value, provider, String(parts[2]))
    }

    private init(_ userID: String, _ provider: ProviderName, _ subject: String) throws(PhotolalaError) {
        guard let userID = UserID(userID.lowercased()), (1...255).contains(subject.utf8.count) else {
            throw Self.unusable
        }
        self.userID = userID
        self.provider = provider
        self.subject = subject
    }

    private static let unusable = PhotolalaError(
        code: .localStateUnusable, detail: "The user of the earlier version cannot be read. Sign in.")
}

extension PhotolalaSession {
    /// Signs in the user of an earlier version of the app.
    /// - Parameter provider: A sign-in with the user's provider.
    /// - Returns: The account.
    /// - Throws: `anotherAccount` if the provider's identity opens another account, whose session is ended at once;
    ///   `noAccountFound` if the operator has not imported the user; the errors of ``signIn(with:)``.
    @discardableResult
    public func signIn(
        _ earlier: EarlierUser, with provider: any ProviderSignIn
    ) async throws(PhotolalaError) -> User {
        guard provider.provider == earlier.provider else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "The earlier version signed in with \(earlier.provider).")
        }
        if let user = try signedInUserID(), user != earlier.userID { throw .anotherAccount(user) }
        return try await limited(to: earlier.userID).signIn(with: provider)
    }
}
