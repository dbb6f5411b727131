import Foundation
import PhotolalaAPI

extension ReservedUploads {
    /// Returns whether these are the addresses of the requested objects of an account, so that no bytes are sent to the
    /// place of another object.
    func answers(_ requests: [UploadRequest], of user: UserID) -> Bool {
        uploads.count == requests.count
            && zip(uploads, requests).allSatisfy { $0?.isAddress(of: $1.key(of: user)) ?? true }
    }
}

extension ReservedUpload {
    /// The bucket is part of the host, or the first segment of the path.
    fileprivate func isAddress(of key: String) -> Bool {
        guard let path = URLComponents(string: url)?.path, path.hasSuffix("/\(key)") else { return false }
        return path.dropLast(key.count + 1).count { $0 == "/" } <= 1
    }
}

extension UploadRequest {
    fileprivate func key(of user: UserID) -> String {
        switch kind {
        case .photo: StorageLayout.photo(user, md5: md5)
        case .thumbnail: StorageLayout.thumbnail(user, md5: photo ?? "")
        case .preview: StorageLayout.preview(user, md5: photo ?? "")
        }
    }
}
