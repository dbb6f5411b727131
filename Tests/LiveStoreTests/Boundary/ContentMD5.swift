import Crypto
import Foundation

/// The digest that S3 requires for a list of keys.
enum ContentMD5 {
    static func of(_ text: String) -> String { Data(Insecure.MD5.hash(data: Data(text.utf8))).base64EncodedString() }
}
