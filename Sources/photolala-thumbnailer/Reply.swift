import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The replies to the client.
enum Reply {
    /// Sends a reply; ends the process if the client is gone.
    static func send<Status: BinaryInteger>(_ status: Status, _ picture: [UInt8] = []) {
        let length = withUnsafeBytes(of: UInt32(picture.count).bigEndian) { Array($0) }
        let isSent = ([UInt8(status)] + length + picture).withUnsafeBytes { Output.writeAll($0, to: STDOUT_FILENO) }
        guard isSent else { exit(1) }
    }
}

enum Output {
    /// Writes all bytes; returns whether this succeeded.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }
}
