import Tracing

/// The position of an operation in a distributed trace, as W3C Trace Context defines it.
package struct TraceContext: Sendable, Equatable {
    /// 32 lower-case hexadecimal digits.
    package let traceID: String
    /// The id of the current span: 16 lower-case hexadecimal digits.
    package let spanID: String
    /// Whether the spans of this trace are recorded.
    package let isSampled: Bool
    /// Whether another process created the span.
    package let isRemote: Bool
    /// The other tracing systems' data, passed on unchanged.
    package let state: TraceState?

    package init(traceID: String, spanID: String, isSampled: Bool, isRemote: Bool = false, state: TraceState? = nil) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.isRemote = isRemote
        self.state = state
    }

    /// Reads the headers of a request. Several `traceparent` headers, joined by commas, are malformed.
    /// - Returns: `nil` if `traceparent` is absent or malformed. A malformed `tracestate` is dropped.
    package init?(traceparent: String?, tracestate: String?) {
        guard let traceparent else { return nil }
        let text = traceparent.utf8.trimmingBlanks()
        let dash = UInt8(ascii: "-")
        func field(_ start: Int, _ length: Int) -> Substring? {
            let from = text.index(text.startIndex, offsetBy: start)
            let field = Substring(text[from..<text.index(from, offsetBy: length)])
            return field.utf8.allSatisfy(\.isLowercaseHex) ? field : nil
        }
        func byte(_ position: Int) -> UInt8 { text[text.index(text.startIndex, offsetBy: position)] }
        guard text.count >= Self.length, byte(2) == dash, byte(35) == dash, byte(52) == dash,
            let version = field(0, 2), version != "ff", let trace = field(3, 32), let span = field(36, 16),
            let flags = field(53, 2), !trace.allSatisfy({ $0 == "0" }), !span.allSatisfy({ $0 == "0" })
        else { return nil }
        // Later versions may add fields; version 00 has none.
        guard text.count == Self.length || (version != "00" && byte(Self.length) == dash) else { return nil }
        self.init(
            traceID: String(trace), spanID: String(span), isSampled: (UInt8(flags, radix: 16) ?? 0) & 1 == 1,
            isRemote: true, state: tracestate.flatMap(TraceState.init))
    }

    /// The length of `traceparent` in version 00.
    private static let length = 55

    /// The value of the header `traceparent`.
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The context of the current task.
    package static var current: TraceContext? { ServiceContext.current?.trace }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
    }

    /// The position in a trace.
    package internal(set) var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}

extension UInt8 {
    var isLowercaseHex: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension BidirectionalCollection<UInt8> {
    func trimmingBlanks() -> SubSequence {
        var trimmed = drop(while: \.isBlank)
        while trimmed.last?.isBlank == true { trimmed.removeLast() }
        return trimmed
    }
}
