import Crypto
import Foundation

extension ImmichResponse.Item {
    /// Returns whether a text has the form of Immich's checksums, a SHA-1 in base64.
    static func isChecksum(_ text: String) -> Bool {
        Data(base64Encoded: text)?.count == Insecure.SHA1.byteCount
    }

    /// Returns the SHA-1 of a file; `nil` if the checksum is not one of its bytes. For files of external libraries it is
    /// that of their path.
    static func sha1(_ checksum: String?, isExternal: Bool, path: String?) -> [UInt8]? {
        guard !isExternal, let checksum, let bytes = Data(base64Encoded: checksum),
            bytes.count == Insecure.SHA1.byteCount
        else { return nil }
        let ofPath = path.map { Insecure.SHA1.hash(data: Data("path:\($0)".utf8)) }
        return ofPath.map { bytes.elementsEqual($0) } == true ? nil : Array(bytes)
    }
}
