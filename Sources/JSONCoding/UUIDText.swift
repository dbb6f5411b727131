import Foundation

/// The 36-character form of UUIDs (RFC 9562 section 4), without Foundation's intermediate strings.
package enum UUIDText {
    private static let length = 36

    /// Returns the lower-case form.
    package static func encode(_ uuid: UUID) -> String {
        String(unsafeUninitializedCapacity: length) { text in
            write(uuid, ten: UInt8(ascii: "a"), to: text)
            return length
        }
    }

    /// Appends the upper-case form, which Foundation writes.
    static func append(_ uuid: UUID, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            write(uuid, ten: UInt8(ascii: "A"), to: text)
            bytes.append(contentsOf: text)
        }
    }

    /// - Parameter ten: The digit ten.
    private static func write(_ uuid: UUID, ten: UInt8, to text: UnsafeMutableBufferPointer<UInt8>) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            var position = 0
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if isDash(position) {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                text[position] = digit(byte >> 4, ten: ten)
                text[position + 1] = digit(byte & 15, ten: ten)
                position += 2
            }
        }
    }

    /// Accepts upper-case digits; returns `nil` for any other form.
    package static func decode(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { text in
            guard text.count == length else { return nil }
            var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
                var position = 0
                var index = 0
                while index < bytes.count {
                    if isDash(position) {
                        guard text[position] == UInt8(ascii: "-") else { return false }
                        position += 1
                    }
                    guard let high = value(text[position]), let low = value(text[position + 1]) else { return false }
                    bytes[index] = high << 4 | low
                    index += 1
                    position += 2
                }
                return true
            }
            return isValid ? UUID(uuid: uuid) : nil
        }
    }

    private static func isDash(_ position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }

    private static func digit(_ value: UInt8, ten: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        if digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") { return digit - UInt8(ascii: "0") }
        // The lower-case letter.
        let letter = digit | 0x20
        guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "f") else { return nil }
        return letter - UInt8(ascii: "a") + 10
    }
}
