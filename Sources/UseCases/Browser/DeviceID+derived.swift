import Crypto
import Foundation
import PhotolalaAPI

extension DeviceID {
    /// Derives an id from a text. The id does not reveal the text (RFC 9562 version 8, custom layout).
    init(derivedFrom text: String) {
        var bytes = Array(SHA256.hash(data: Data(text.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        self.init(uuid: bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
}
