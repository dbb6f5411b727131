import Accounts
import Foundation
import PhotoCatalog
import PhotolalaAPI
import Secrets
import Sharing

/// Manages a person's shared links. All functions throw `sharingDisabled` if the deployment has none.
package struct SharingService: Sendable {
    let accounts: AccountDirectory
    let links: SharedLinks
    let library: LibraryService
    let auditLog: DeviceAuditLog
    let passwords: SharedLinkPasswords
    /// Whether the deployment has shared links.
    package let isEnabled: Bool
    let now: @Sendable () -> Date

    /// What becomes of a link's password.
    package enum PasswordChange: Sendable, Equatable {
        case keep
        case remove
        case set(String)
    }

    /// The options of a link, as its owner states them.
    package struct Options: Sendable, Equatable {
        package let title: String
        /// `nil` if the link does not expire.
        package let expiresAt: Date?
        package let password: PasswordChange
        package let allowsDownloads: Bool
        package let includesLocation: Bool

        package init(
            title: String, expiresAt: Date?, password: PasswordChange, allowsDownloads: Bool, includesLocation: Bool
        ) {
            (self.title, self.expiresAt, self.password) = (title, expiresAt, password)
            (self.allowsDownloads, self.includesLocation) = (allowsDownloads, includesLocation)
        }
    }

    /// Why options cannot be stored.
    package enum InvalidOption: Error, Sendable, Equatable {
        case title
        /// The time is past.
        case expiry
        /// The password is too short or too long.
        case password
    }

    /// Returns the caller's links, the newest first. One listing and one read for each.
    package func links(_ caller: Caller) async throws(ServiceError) -> [SharedLink] {
        try requireEnabled()
        return try await mapServiceErrors { try await links.all(of: caller.user) }
    }

    /// Returns a link of the caller.
    /// - Throws: `notFound`.
    package func link(_ id: SharedLinkID, _ caller: Caller) async throws(ServiceError) -> SharedLink {
        try requireEnabled()
        guard let link = try await mapServiceErrors({ try await links.link(id, of: caller.user) }) else {
            throw .notFound
        }
        return link
    }

    /// Creates a link to an album. It shows what the album contains when the link is opened.
    /// - Returns: The link, or why the options are invalid.
    /// - Throws: `notFound` if there is no such album; `storageReadOnly` while the account is being deleted;
    ///   `invalidRequest` if the account has the maximum number of links.
    package func create(
        toAlbum album: AlbumID, _ options: Options, _ caller: Caller
    ) async throws(ServiceError) -> Result<SharedLink, InvalidOption> {
        try requireWriteAccess(caller)
        _ = try await library.album(album, caller: caller)
        return try await create(.album(album.description), options, caller)
    }

    /// Creates a link to photos of the library.
    /// - Returns: The link, or why the options are invalid.
    /// - Throws: `invalidRequest` without photos of the library, or with more than `SharedContent.maximumPhotos`; and the
    ///   errors of `create(toAlbum:)`.
    package func create(
        to photos: Set<ContentDigest>, _ options: Options, _ caller: Caller
    ) async throws(ServiceError) -> Result<SharedLink, InvalidOption> {
        try requireWriteAccess(caller)
        let known = try await library.libraryPhotos(photos, caller).map(\.description).sorted()
        guard !known.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        guard known.count <= SharedContent.maximumPhotos else {
            throw .invalidRequest("A link shows at most \(SharedContent.maximumPhotos) photos. Share an album.")
        }
        return try await create(.photos(known), options, caller)
    }

    /// Changes the options of a link.
    /// - Returns: The link, or why the options are invalid.
    /// - Throws: `notFound`; `storageReadOnly` while the account is being deleted.
    package func change(
        _ id: SharedLinkID, _ options: Options, _ caller: Caller
    ) async throws(ServiceError) -> Result<SharedLink, InvalidOption> {
        try requireWriteAccess(caller)
        let known = try await link(id, caller)
        let checked: SharedLinkOptions
        switch try await check(options, known: known.document.options) {
        case .failure(let reason): return .failure(reason)
        case .success(let options): checked = options
        }
        guard checked != known.document.options else { return .success(known) }
        return try await mapServiceErrors {
            try await record(.sharedLinkChanged, caller)
            return .success(
                try await links.change(id, of: caller.user) { document in
                    // A password that another page has set concurrently stays.
                    let current = document.options.password
                    document.options = checked
                    if options.password == .keep { document.options.password = current }
                })
        }
    }

    /// Deletes a link. Its address opens nothing any more; addresses of photos that visitors have received expire within
    /// `PresignedURLValidity.maximumDuration`, or at once with the built-in storage endpoint.
    /// - Throws: `notFound`.
    package func delete(_ id: SharedLinkID, _ caller: Caller) async throws(ServiceError) {
        _ = try await link(id, caller)
        try await mapServiceErrors {
            // Recorded afterwards: the log must not say that a link is gone that still opens.
            try await links.delete(id, of: caller.user)
            try await record(.sharedLinkDeleted, caller)
        }
    }

    private func create(
        _ content: SharedContent, _ options: Options, _ caller: Caller
    ) async throws(ServiceError) -> Result<SharedLink, InvalidOption> {
        try await mapServiceErrors {
            try await links.requireRoom(for: caller.user)
            switch try await check(options, known: nil) {
            case .failure(let reason): return .failure(reason)
            case .success(let options):
                // Recorded first: no link may exist that the log does not show.
                try await record(.sharedLinkCreated, caller)
                return .success(try await links.create(caller.user, content, options))
            }
        }
    }

    private func record(_ action: AuditAction, _ caller: Caller) async throws(AccountError) {
        try await accounts.recordSharedLink(action, of: caller.account, by: auditLog.actingSession(caller))
    }

    private func check(
        _ options: Options, known: SharedLinkOptions?
    ) async throws(ServiceError) -> Result<SharedLinkOptions, InvalidOption> {
        guard let title = AlbumName(options.title) else { return .failure(.title) }
        if let end = options.expiresAt, end <= now(), end != known?.expiresAt { return .failure(.expiry) }
        let password: SharedLinkPassword?
        switch options.password {
        case .keep: password = known?.password
        case .remove: password = nil
        case .set(let text):
            guard SharedLinkPassword.lengths.contains(text.utf8.count) else { return .failure(.password) }
            password = try await passwords.hash(text)
        }
        return .success(
            SharedLinkOptions(
                title: title.description, expiresAt: options.expiresAt, password: password,
                allowsDownloads: options.allowsDownloads, includesLocation: options.includesLocation))
    }

    private func requireWriteAccess(_ caller: Caller) throws(ServiceError) {
        try requireEnabled()
        try library.requireWriteAccess(caller)
    }

    private func requireEnabled() throws(ServiceError) {
        guard isEnabled else { throw .sharingDisabled }
    }
}
