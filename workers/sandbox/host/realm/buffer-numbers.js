/**
 * Bytes that read and write numbers like Buffer: `readUInt32BE`, `writeInt16LE` and the others, where
 * `UInt` may be written `Uint` too. The methods are written out although they are all alike: made in
 * a loop, they cost every realm that needs Buffer ten times as much (measured).
 */
export function makeNumberBytes() {
  const viewOf = ({ buffer, byteOffset, byteLength }) =>
    new DataView(buffer, byteOffset, byteLength);
  const read = (bytes, { get }, offset = 0, isLittle = false) =>
    viewOf(bytes)[get](offset, isLittle);
  const write = (bytes, { set, size, least, most }, value, offset = 0, isLittle = false) => {
    if (value < least || value > most) {
      const range = `It must be >= ${least} and <= ${most}. Received ${value}`;
      const error = new RangeError(`The value of "value" is out of range. ${range}`);
      throw Object.assign(error, { code: 'ERR_OUT_OF_RANGE' });
    }
    viewOf(bytes)[set](offset, value, isLittle);
    return offset + size;
  };
  const kindOf = (name, size, least, most) => ({
    get: `get${name}`,
    set: `set${name}`,
    size,
    least,
    most,
  });
  const UINT8 = kindOf('Uint8', 1, 0, 0xff);
  const INT8 = kindOf('Int8', 1, -0x80, 0x7f);
  const UINT16 = kindOf('Uint16', 2, 0, 0xffff);
  const INT16 = kindOf('Int16', 2, -0x8000, 0x7fff);
  const UINT32 = kindOf('Uint32', 4, 0, 0xffffffff);
  const INT32 = kindOf('Int32', 4, -0x80000000, 0x7fffffff);
  const BIGUINT64 = kindOf('BigUint64', 8, 0n, 0xffffffffffffffffn);
  const BIGINT64 = kindOf('BigInt64', 8, -0x8000000000000000n, 0x7fffffffffffffffn);
  const FLOAT32 = kindOf('Float32', 4, -Infinity, Infinity);
  const FLOAT64 = kindOf('Float64', 8, -Infinity, Infinity);

  return class NumberBytes extends Uint8Array {
    readUInt8(offset) {
      return read(this, UINT8, offset);
    }
    writeUInt8(value, offset) {
      return write(this, UINT8, value, offset);
    }
    readUint8(offset) {
      return this.readUInt8(offset);
    }
    writeUint8(value, offset) {
      return this.writeUInt8(value, offset);
    }
    readInt8(offset) {
      return read(this, INT8, offset);
    }
    writeInt8(value, offset) {
      return write(this, INT8, value, offset);
    }
    readUInt16LE(offset) {
      return read(this, UINT16, offset, true);
    }
    writeUInt16LE(value, offset) {
      return write(this, UINT16, value, offset, true);
    }
    readUint16LE(offset) {
      return this.readUInt16LE(offset);
    }
    writeUint16LE(value, offset) {
      return this.writeUInt16LE(value, offset);
    }
    readUInt16BE(offset) {
      return read(this, UINT16, offset);
    }
    writeUInt16BE(value, offset) {
      return write(this, UINT16, value, offset);
    }
    readUint16BE(offset) {
      return this.readUInt16BE(offset);
    }
    writeUint16BE(value, offset) {
      return this.writeUInt16BE(value, offset);
    }
    readInt16LE(offset) {
      return read(this, INT16, offset, true);
    }
    writeInt16LE(value, offset) {
      return write(this, INT16, value, offset, true);
    }
    readInt16BE(offset) {
      return read(this, INT16, offset);
    }
    writeInt16BE(value, offset) {
      return write(this, INT16, value, offset);
    }
    readUInt32LE(offset) {
      return read(this, UINT32, offset, true);
    }
    writeUInt32LE(value, offset) {
      return write(this, UINT32, value, offset, true);
    }
    readUint32LE(offset) {
      return this.readUInt32LE(offset);
    }
    writeUint32LE(value, offset) {
      return this.writeUInt32LE(value, offset);
    }
    readUInt32BE(offset) {
      return read(this, UINT32, offset);
    }
    writeUInt32BE(value, offset) {
      return write(this, UINT32, value, offset);
    }
    readUint32BE(offset) {
      return this.readUInt32BE(offset);
    }
    writeUint32BE(value, offset) {
      return this.writeUInt32BE(value, offset);
    }
    readInt32LE(offset) {
      return read(this, INT32, offset, true);
    }
    writeInt32LE(value, offset) {
      return write(this, INT32, value, offset, true);
    }
    readInt32BE(offset) {
      return read(this, INT32, offset);
    }
    writeInt32BE(value, offset) {
      return write(this, INT32, value, offset);
    }
    readBigUInt64LE(offset) {
      return read(this, BIGUINT64, offset, true);
    }
    writeBigUInt64LE(value, offset) {
      return write(this, BIGUINT64, value, offset, true);
    }
    readBigUint64LE(offset) {
      return this.readBigUInt64LE(offset);
    }
    writeBigUint64LE(value, offset) {
      return this.writeBigUInt64LE(value, offset);
    }
    readBigUInt64BE(offset) {
      return read(this, BIGUINT64, offset);
    }
    writeBigUInt64BE(value, offset) {
      return write(this, BIGUINT64, value, offset);
    }
    readBigUint64BE(offset) {
      return this.readBigUInt64BE(offset);
    }
    writeBigUint64BE(value, offset) {
      return this.writeBigUInt64BE(value, offset);
    }
    readBigInt64LE(offset) {
      return read(this, BIGINT64, offset, true);
    }
    writeBigInt64LE(value, offset) {
      return write(this, BIGINT64, value, offset, true);
    }
    readBigInt64BE(offset) {
      return read(this, BIGINT64, offset);
    }
    writeBigInt64BE(value, offset) {
      return write(this, BIGINT64, value, offset);
    }
    readFloatLE(offset) {
      return read(this, FLOAT32, offset, true);
    }
    writeFloatLE(value, offset) {
      return write(this, FLOAT32, value, offset, true);
    }
    readFloatBE(offset) {
      return read(this, FLOAT32, offset);
    }
    writeFloatBE(value, offset) {
      return write(this, FLOAT32, value, offset);
    }
    readDoubleLE(offset) {
      return read(this, FLOAT64, offset, true);
    }
    writeDoubleLE(value, offset) {
      return write(this, FLOAT64, value, offset, true);
    }
    readDoubleBE(offset) {
      return read(this, FLOAT64, offset);
    }
    writeDoubleBE(value, offset) {
      return write(this, FLOAT64, value, offset);
    }
  };
}
