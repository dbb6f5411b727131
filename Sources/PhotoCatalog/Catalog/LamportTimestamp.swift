/// A Lamport timestamp of a change to shared state, independent of clocks: a counter larger than all that the writer
/// had seen, then the writer's device tag.
package struct LamportTimestamp: Hashable, Sendable, Comparable {
    package let counter: UInt64
    package let device: DeviceTag

    /// The timestamp of everything written before timestamps existed.
    package static let zero = LamportTimestamp(counter: 0, device: .none)

    /// The exclusive limit of counters. Counting never reaches it, so a counter at or above it is read as 0: it can
    /// neither win forever nor leave the next writer without a larger value.
    static let counterLimit: UInt64 = 1 << 52

    init(counter: UInt64, device: DeviceTag) {
        let isCounted = counter < Self.counterLimit
        self.counter = isCounted ? counter : 0
        self.device = isCounted ? device : .none
    }

    /// Returns the timestamp of the next change after a counter. At the limit the counter stays the same, and the tag
    /// is the largest.
    package static func next(after counter: UInt64, by device: DeviceTag) -> LamportTimestamp {
        let isLast = counter + 1 >= counterLimit
        return LamportTimestamp(
            counter: min(counter + 1, counterLimit - 1), device: isLast ? DeviceTag(value: .max) : device)
    }

    package static func < (left: LamportTimestamp, right: LamportTimestamp) -> Bool {
        left.counter == right.counter ? left.device < right.device : left.counter < right.counter
    }
}

extension LamportTimestamp {
    /// Parses `17@0a1b2c3d`; returns `nil` for invalid or empty text.
    package init?(_ text: String) {
        var text = text
        guard !text.isEmpty, let timestamp = text.withUTF8(LamportTimestamp.init(utf8:)) else { return nil }
        self = timestamp
    }

    /// The text form, such as `17@0a1b2c3d`. That of `zero`, as which a counter above the limit is read, is not empty: a
    /// document with an empty timestamp is damaged.
    package var text: String {
        guard self != .zero else { return "0@00000000" }
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses `17@0a1b2c3d`, the counter and the tag's 8 hex digits; empty text is `zero`.
    init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard !utf8.isEmpty else {
            self = .zero
            return
        }
        let split = utf8.count - 9
        guard split > 0, utf8[split] == UInt8(ascii: "@"), let counter = UInt64(decimal: utf8[..<split]) else {
            return nil
        }
        var tag: UInt32 = 0
        for byte in utf8[(split + 1)...] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): tag = tag << 4 | UInt32(byte & 15)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): tag = tag << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        self.init(counter: counter, device: DeviceTag(value: tag))
    }

    /// Appends the text form. It has `@` instead of a dot, because a spreadsheet would read `5.1e203040` as a number.
    func write(to text: inout [UInt8]) {
        guard self != .zero else { return }
        text.append(decimal: counter)
        text.append(UInt8(ascii: "@"))
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: device.value >> shift) & 15
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
