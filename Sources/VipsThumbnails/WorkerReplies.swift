#if os(Linux) || os(macOS)
    import CThumbnailWorker
    import NIOCore
    import PhotoCatalog
    import Subprocess

    /// A reply of a worker process.
    enum WorkerReply: Sendable, Equatable {
        case ready
        case libraryMissing
        case made(ByteBuffer)
        /// A preview, before the thumbnail.
        case preview(ByteBuffer)
        /// The average color of the thumbnail, before it.
        case color(PictureColor)
        /// The duration of a video, before its thumbnail.
        case duration(MediaDuration)
        case notMade
    }

    /// The output of a worker ended or is not a reply.
    struct InvalidWorkerReply: Error, CustomStringConvertible {
        var description: String { "no valid reply of the program" }
    }

    /// Assembles replies from the output of a worker: one byte for the kind, four for the length of a picture, most
    /// significant first, and the picture. Holds at most one reply and one buffer of the pipe.
    struct WorkerReplyDecoder {
        private var received = ByteBuffer()

        mutating func append(_ bytes: UnsafeRawBufferPointer) { received.writeBytes(bytes) }

        /// Returns a complete reply; `nil` if bytes are missing.
        /// - Throws: For an unknown kind, and for a length that is not permitted, as soon as it is received.
        mutating func next() throws(InvalidWorkerReply) -> WorkerReply? {
            guard let (kind, length) = received.peekMultipleIntegers(as: (UInt8, UInt32).self) else { return nil }
            let reply: WorkerReply
            switch CInt(kind) {
            case CInt(PHOTOLALA_READY): reply = .ready
            case CInt(PHOTOLALA_LIBRARY_MISSING): reply = .libraryMissing
            case CInt(PHOTOLALA_NOT_MADE): reply = .notMade
            case CInt(PHOTOLALA_COLOR):
                guard length == 3 else { throw InvalidWorkerReply() }
                guard received.readableBytes >= 8 else { return nil }
                received.moveReaderIndex(forwardBy: 5)
                return received.readMultipleIntegers(as: (UInt8, UInt8, UInt8).self).map {
                    .color(PictureColor(red: $0.0, green: $0.1, blue: $0.2))
                }
            case CInt(PHOTOLALA_DURATION):
                guard length == 4 else { throw InvalidWorkerReply() }
                guard received.readableBytes >= 9 else { return nil }
                received.moveReaderIndex(forwardBy: 5)
                guard let duration = received.readInteger(as: UInt32.self).flatMap(MediaDuration.init(milliseconds:))
                else { throw InvalidWorkerReply() }
                return .duration(duration)
            case CInt(PHOTOLALA_MADE), CInt(PHOTOLALA_PREVIEW):
                let isPreview = kind == UInt8(PHOTOLALA_PREVIEW)
                guard length <= (isPreview ? Preview.sizeLimit : Thumbnail.sizeLimit) else {
                    throw InvalidWorkerReply()
                }
                guard received.readableBytes >= 5 + Int(length) else { return nil }
                received.moveReaderIndex(forwardBy: 5)
                guard let bytes = received.readSlice(length: Int(length)) else { return nil }
                received.discardReadBytes()
                return isPreview ? .preview(bytes) : .made(bytes)
            default: throw InvalidWorkerReply()
            }
            guard length == 0 else { throw InvalidWorkerReply() }
            received.moveReaderIndex(forwardBy: 5)
            return reply
        }
    }

    /// The replies of a running worker.
    struct WorkerReplies {
        private var output: SubprocessOutputSequence.Iterator
        private var decoder = WorkerReplyDecoder()

        init(_ output: SubprocessOutputSequence) { self.output = output.makeAsyncIterator() }

        mutating func next() async throws -> WorkerReply {
            while true {
                if let reply = try decoder.next() { return reply }
                guard let buffer = try await output.next() else { throw InvalidWorkerReply() }
                buffer.withUnsafeBytes { decoder.append($0) }
            }
        }
    }
#endif
