import Foundation

/// The JSON text that the containers of one encoding share. Each container knows its depth; writing to one closes all
/// that are deeper.
final class JSONOutput {
    private(set) var bytes: [UInt8] = []
    /// The open arrays and objects, outermost first.
    private var open: [Container] = []

    private struct Container {
        let isObject: Bool
        var isEmpty = true
    }

    init() { bytes.reserveCapacity(1024) }

    /// Closes the containers from a depth on.
    func close(to depth: Int) {
        while open.count > depth, let container = open.popLast() {
            bytes.append(UInt8(ascii: container.isObject ? "}" : "]"))
        }
    }

    /// Opens the container of an encoder, unless it asked for one before.
    func openContainer(isObject: Bool, depth: Int) {
        guard open.count <= depth else { return close(to: depth + 1) }
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        open.append(Container(isObject: isObject))
    }

    /// Begins the next element of the array at a depth.
    func beginElement(depth: Int) {
        close(to: depth + 1)
        if !open[depth].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[depth].isEmpty = false
    }

    /// Begins the next member of the object at a depth.
    func beginMember(_ name: String, depth: Int) {
        beginElement(depth: depth)
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    func writeNull() { bytes.append(contentsOf: "null".utf8) }

    func write(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    func write(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    func write(_ value: UInt64) {
        let start = bytes.count
        var rest = value
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    func write(_ value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "JSON has finite numbers only."))
        }
        let text = value.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { JSONString.append($0, to: &bytes) }
    }

    /// Writes a value whose encoder has a depth.
    func write<Value: Encodable>(_ value: Value, depth: Int) throws {
        if Value.self == Date.self, let date = value as? Date {
            bytes.append(UInt8(ascii: "\""))
            JSONDate.append(date, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        } else if Value.self == UUID.self, let uuid = value as? UUID {
            bytes.append(UInt8(ascii: "\""))
            UUIDText.append(uuid, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        } else if Value.self == Data.self, let data = value as? Data {
            write(data.base64EncodedString())
        } else if Value.self == URL.self, let url = value as? URL {
            write(url.absoluteString)
        } else {
            let start = bytes.count
            try value.encode(to: JSONValueEncoder(output: self, depth: depth))
            // A type without members may ask for no container.
            if bytes.count == start { bytes.append(contentsOf: "{}".utf8) }
        }
    }
}
