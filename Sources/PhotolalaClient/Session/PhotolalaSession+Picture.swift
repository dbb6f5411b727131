import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// Returns the account's profile picture; `nil` if there is none. One request: an app that shows it often keeps it.
    ///
    /// Only sessions of the account can read it. `Profile.picture` is a value of the app and does not refer to it.
    public func profilePicture() async throws(PhotolalaError) -> VersionedPicture? {
        let user = try await validSession().user
        do throws(PhotolalaError) {
            let response = try await authorized(.picture, Self.path(of: user), as: user)
            return VersionedPicture(data: response.value, version: response.version)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Replaces the account's profile picture.
    ///
    /// The server stores the file as it is, including what a camera wrote into it, such as the location. Send a picture
    /// that was drawn again, for example a square of 256 pixels.
    /// - Parameters:
    ///   - picture: A JPEG, PNG or WebP file that is not animated, at most `ProfilePictureLimit.bytes` and
    ///     `ProfilePictureLimit.edge` pixels wide and high.
    ///   - version: The version that was read; the picture is not replaced if it has changed since. `nil` replaces any.
    /// - Returns: The new version.
    /// - Throws: `changedMeanwhile`, `invalidRequest` for another file, `bodyTooLarge`.
    @discardableResult
    public func replaceProfilePicture(
        with picture: Data, ifStill version: String? = nil
    ) async throws(PhotolalaError) -> String? {
        guard picture.count <= ProfilePictureLimit.bytes else {
            throw PhotolalaError(code: .bodyTooLarge, detail: "The picture exceeds the server's size limit.")
        }
        let user = try await validSession().user
        return try await authorized(
            .replacePicture, Self.path(of: user), body: picture, ifMatch: version, as: user
        ).version
    }

    /// Removes the account's profile picture. Without one, nothing changes.
    /// - Parameter version: The version that was read; the picture is not removed if it has changed since. `nil` to
    ///   remove any.
    /// - Throws: `changedMeanwhile`.
    public func removeProfilePicture(ifStill version: String? = nil) async throws(PhotolalaError) {
        let user = try await validSession().user
        _ = try await authorized(.removePicture, Self.path(of: user), ifMatch: version, as: user)
    }
}

/// A profile picture with its version, for a conditional replacement.
public struct VersionedPicture: Sendable, Equatable {
    /// The bytes of a JPEG, PNG or WebP file.
    public let data: Data
    /// The opaque tag of the version.
    public let version: String?
}
